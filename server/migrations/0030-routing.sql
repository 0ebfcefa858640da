-- Whether money can be taken for a merchant: by a channel of its own or by the platform's.
create function has_pay_channel(merchant bigint) returns boolean stable language sql as $$
  select exists (select 1 from pay_channels where organisation_id in (merchant, 1) and bound and not locked)
$$;
