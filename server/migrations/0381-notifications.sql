-- Who is told of alerts and refunds without looking: docs/notifications.md has the rules.

-- Where an organisation has notifications sent. A robot's address holds its key, so both are sealed.
create table notification_receivers (
  id              bigint generated always as identity primary key,
  organisation_id bigint not null references organisations (id),
  name            text not null,
  kind            text not null check (kind in ('weCom', 'dingTalk', 'feishu', 'email', 'webhook')),
  sealed_address  bytea not null,
  shown_address   text not null,             -- what may be shown of it
  sealed_secret   bytea,
  language        text not null check (language in ('en', 'zh-CN')),
  events          text[] not null,
  active          boolean not null default true,
  created_at      timestamptz not null default now(),
  last_sent_at    timestamptz,
  failing_since   timestamptz,               -- null: all is well
  failures        integer not null default 0, -- in a row
  failure         text not null default ''
);
create unique index notification_receivers_name on notification_receivers (organisation_id, lower(name));

-- What is to be sent, and what was, for a while. The cause is told to each receiver once.
create table notifications (
  id          bigint generated always as identity primary key,
  receiver_id bigint not null references notification_receivers (id) on delete cascade,
  cause       text not null,
  event       text not null,
  told        jsonb not null,
  merchant_name text not null,               -- as it was called then
  created_at  timestamptz not null default now(),
  done_at     timestamptz,                   -- null: it waits
  unique (receiver_id, cause)
);
create index notifications_waiting on notifications (receiver_id, id) where done_at is null;
create index notifications_created on notifications (created_at);

-- What was told of an alert last. One that comes and goes is told again after a while only.
alter table device_alerts add column told_open boolean not null default false, add column told_at timestamptz;
update device_alerts set told_open = true, told_at = now() where cleared_at is null;
create index device_alerts_untold on device_alerts (id) where told_open <> (cleared_at is null);

-- Whoever may change the basic information of an organisation may say where it is notified.
update accounts set permission_ids = permission_ids || array[26, 261]::integer[]
 where 221 = any(permission_ids) and not 26 = any(permission_ids);
