-- The sign-in before the present one: "last sign-in" is said after signing in, and would be the present one otherwise.
alter table accounts add column previous_login_at timestamptz;
