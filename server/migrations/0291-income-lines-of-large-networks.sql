-- The payments of a day, and what went back on it, without passing over those of the month and the quarter around it.
create index orders_paid on orders (paid_at) where paid_at is not null;
create index provider_refunds_settled on provider_refunds (settled_at) where settled_at is not null;
drop index ledger_transfers_refunds;
create index ledger_transfers_refunds on ledger_transfers (booked_at) where cause like 'refund:%';
