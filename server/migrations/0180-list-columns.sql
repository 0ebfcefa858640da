-- The columns that somebody does not want to see in a list, which is known by the path of its call.
create table list_columns (
  account_id bigint not null references accounts (id) on delete cascade,
  list       text not null,
  hidden     text[] not null,
  primary key (account_id, list)
);
