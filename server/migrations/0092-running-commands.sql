-- The runs under way, to find those whose end no board tells.
create index device_commands_running on device_commands (acknowledged_at) where kind = 'start' and state = 'accepted';
