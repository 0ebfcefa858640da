-- Pictures that were sent in: whose each is and what it is for. The bytes are in the object store under the key.
create table pictures (
  key             text primary key,
  purpose         text not null check (purpose in ('banner', 'portrait')),
  organisation_id bigint not null references organisations (id),
  account_id      bigint references accounts (id) on delete set null,
  width           integer not null,
  height          integer not null,
  uploaded_at     timestamptz not null default now(),
  stored_at       timestamptz,   -- null: the bytes are still on their way into the store
  used_at         timestamptz,   -- null: nothing ever showed it; such a picture goes after a day
  removed_at      timestamptz    -- the bytes are being removed; the row goes after them
);
create index pictures_history on pictures (organisation_id, purpose, uploaded_at desc, key);
create index pictures_unused on pictures (uploaded_at) where used_at is null;

-- Each lets one picture be sent in, soon and once; kept only as its SHA-256.
create table upload_tokens (
  token_hash bytea primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  purpose    text not null check (purpose in ('banner', 'portrait')),
  expires_at timestamptz not null
);
create index upload_tokens_expiry on upload_tokens (expires_at);
create index upload_tokens_account on upload_tokens (account_id);
