-- How often a refund was sent, and how often the provider answered that with a definite no: while there are as many of
-- the one as of the other, no money can have gone.
alter table provider_refunds
  add column times_sent    integer not null default 0,
  add column times_refused integer not null default 0,
  -- Since when people were told that it failed, though it may have gone. It is asked after still, and sent no more.
  add column given_up_at   timestamptz;
-- Of those under way it is not known what they were answered.
update provider_refunds set times_sent = 1 where state in ('wanted', 'accepted') and attempts > 0;
