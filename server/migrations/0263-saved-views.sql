-- Filters, sort and page size of a list under a name: a query of the screen's address. What is shared is offered to the
-- accounts of the same organisation.
create table saved_views (
  id              bigint generated always as identity primary key,
  account_id      bigint not null references accounts (id) on delete cascade,
  organisation_id bigint not null references organisations (id),
  screen          text not null,
  name            text not null,
  query           text not null,
  shared          boolean not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now()
);
create unique index saved_views_name on saved_views (account_id, screen, lower(name));
create index saved_views_shared on saved_views (organisation_id, screen) where shared;
