-- Since when a provider has not taken a refund for now; it is asked for again until that has been so for some days.
alter table provider_refunds add column waits_since timestamptz;
