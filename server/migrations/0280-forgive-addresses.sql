-- Failed sign-ins of an address are forgiven one by one, and this is up to when that was done.
alter table sign_in_failures add column forgiven_at timestamptz not null default now();
