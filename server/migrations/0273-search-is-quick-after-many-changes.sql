-- What is written to these is kept in a list beside the index first, which every search reads to its end until a vacuum.
-- Names change seldom, but an import or an upgrade changes all of them at once.
alter index organisations_name set (fastupdate = off);
alter index organisations_initials set (fastupdate = off);
alter index accounts_user_name_search set (fastupdate = off);

select gin_clean_pending_list('organisations_name'), gin_clean_pending_list('organisations_initials'),
       gin_clean_pending_list('accounts_user_name_search');
