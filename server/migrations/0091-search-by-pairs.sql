-- Searches find part of a name from two letters on, in any script. Trigrams need three, and under a plain collation they
-- know no Chinese; pairs of letters that stand next to each other do both.

create function letter_pairs(words text) returns text[] immutable strict parallel safe language sql
return (select coalesce(array_agg(distinct substr(words, place, 2)), '{}') from generate_series(1, length(words) - 1) place);

drop index organisations_name;
create index organisations_name on organisations using gin (letter_pairs(lower(name)));
drop index accounts_user_name_search;
create index accounts_user_name_search on accounts using gin (letter_pairs(lower(user_name)));
