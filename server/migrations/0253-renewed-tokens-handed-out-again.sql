-- The answer that brings a renewed token may be lost. As long as the new one was never used, whoever shows the old one
-- is told it again: it is made of the old token and this salt, so that still no token is stored. The old one's last
-- minute begins with the first use of the new one.
alter table sessions
  add column renewal_salt bytea,
  add column is_used      boolean not null default true;
