-- In one transaction an order is paid and its start is sent, or its refund decided and asked for. Steps of an order's history
-- have the time of the clock; what follows from them in the same transaction has the time after, not that of its beginning.
alter table device_commands alter column created_at set default clock_timestamp();
alter table provider_refunds alter column created_at set default clock_timestamp();
