-- Whether a merchant changes its banner itself is said for each; from now on it is not unless somebody says so.
alter table banners alter column allow_manage set default false;
create index banners_pending on banners (merchant_id) where pending_banner_key <> '' or pending_sleep_prompt is not null;
