-- Everybody a customer's browser was ever known as to an app of the provider's. Who signs in as somebody else in it, or
-- comes to a merchant with another app, has been there all the same: a first use is free once.
create table customer_payers (
  app_id      text not null,
  open_id     text not null,
  customer_id bigint not null references customers (id) on delete cascade,
  known_at    timestamptz not null default now(),
  primary key (app_id, open_id, customer_id)
);
-- For the deletion of a customer.
create index customer_payers_customer on customer_payers (customer_id);

insert into customer_payers (app_id, open_id, customer_id)
select app_id, open_id, id from customers where app_id is not null and open_id is not null;

-- Payers are found here now.
drop index customers_open_id;
