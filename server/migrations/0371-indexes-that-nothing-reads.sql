-- No statement looks these up; each was paid for by every row that was written.
drop index ledger_transfers_id;
drop index income_days_day;
-- organisations_children begins with the same column.
drop index organisations_parent;
drop index device_batches_model;
