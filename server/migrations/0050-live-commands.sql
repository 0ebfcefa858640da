-- When a command is due to be sent again or given up. One long past it has lost its job with a process that was killed.
alter table device_commands add column next_look_at timestamptz not null default now();
create index device_commands_live on device_commands (next_look_at) where state in ('pending', 'sent');

-- Device ids are searched by their beginning, whatever the collation of the database.
create index devices_sid_prefix on devices (sid text_pattern_ops);
