-- How often a provider was asked to prepare a payment, and how often it answered with a definite no: while there are as
-- many of the one as of the other, nobody can have paid it.
alter table payments
  add column times_asked   integer not null default 0,
  add column times_refused integer not null default 0;
-- Of those that are open it is not known what was answered.
update payments set times_asked = 1 where state in ('preparing', 'prepared');
