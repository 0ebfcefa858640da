-- What the income of a day sums up is told line by line. Payments are found by the days of their orders; a refund may be of
-- any order before, so that the few transfers that give money back are found by when they were booked.
create index ledger_transfers_refunds on ledger_transfers (merchant_id, booked_at) where cause like 'refund:%';
