-- The channels that take money for a merchant as rows: a function that answers rows becomes part of the statement that asks,
-- where one that answers a value is a statement of its own each time.
create function pay_channels_for(merchant bigint) returns setof pay_channels stable language sql as $$
  select c.* from pay_channels c
   where c.organisation_id in (merchant, 1) and c.bound and not c.locked
     and c.name = any(served_pay_channels(coalesce((select router from pay_routers where merchant_id = merchant), 'default')))
$$;

create or replace function pay_channel_for(merchant bigint) returns bigint stable language sql as $$
  select c.id from pay_channels_for(merchant) c order by c.organisation_id = 1, c.id limit 1
$$;
