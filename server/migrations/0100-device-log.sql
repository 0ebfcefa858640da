-- What is told of a device is told to who held it when it happened: a log line keeps the merchant of its moment. What was
-- done is kept as a word with its values, and is worded in the language of who reads it.
alter table device_logs add column merchant_id bigint;
alter table device_logs add column operator_organisation_id bigint;
alter table device_logs add column action text not null default '';
alter table device_logs add column details jsonb not null default '{}';
alter table device_logs alter column remark set default '';
