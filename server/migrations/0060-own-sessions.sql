-- A session keeps its id when its token is renewed, so that its owner can name it without the token's hash.
alter table sessions
  add column id uuid not null default gen_random_uuid(),
  add column last_used_at timestamptz not null default now();

-- A secret that waits for the first code of the authenticator it was put into; one for each account.
create table two_step_offers (
  id         uuid primary key default gen_random_uuid(),
  account_id bigint not null unique references accounts (id) on delete cascade,
  secret     bytea not null,                                                 -- encrypted
  expires_at timestamptz not null
);

-- What nobody has tried for a day is forgotten.
create index sign_in_failures_last on sign_in_failures (last_at);
