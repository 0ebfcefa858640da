-- Initials by which a name is found when Latin letters are typed; null until they are written.
alter table organisations add column name_initials text;

create index organisations_initials on organisations using gin (letter_pairs(lower(name_initials)));
create index organisations_without_initials on organisations (id) where name_initials is null;

-- The last digits are what people know of a mobile.
create index organisations_mobile_tail on organisations (reverse(mobile) text_pattern_ops);

create function forget_name_initials() returns trigger language plpgsql as $$
begin
  new.name_initials := null;
  return new;
end $$;

create trigger organisations_renamed before update of name on organisations
  for each row when (old.name is distinct from new.name) execute function forget_name_initials();
