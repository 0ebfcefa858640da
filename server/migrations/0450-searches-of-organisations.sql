-- Searches of agents and merchants read what they answer from indexes, and nothing that they leave out.

-- An agent's search finds its own in the index of letters, where it found everybody's and its own and compared them.
create function organisation_ids(path ltree) returns bigint[] immutable strict parallel safe language sql
return string_to_array(path::text, '.')::bigint[];

drop index organisations_name;
drop index organisations_initials;
drop index organisations_owner_user_name;
create index organisations_name on organisations
  using gin (letter_pairs(lower(name)), organisation_ids(path)) with (fastupdate = off);
create index organisations_initials on organisations
  using gin (letter_pairs(lower(name_initials)), organisation_ids(path)) with (fastupdate = off);
create index organisations_owner_user_name on organisations
  using gin (letter_pairs(lower(owner_user_name)), organisation_ids(path)) with (fastupdate = off);

-- Two letters are what a search begins with, and among all they find many: here these stand in the order of the list.
create table organisation_letter_pairs (
  -- 'name' for the name and its initials, 'userName' for the owner's user name
  field           text not null,
  pair            text not null,
  kind            text not null,
  organisation_id bigint not null
);
create unique index organisation_letter_pairs_listed on organisation_letter_pairs (field, pair, kind, organisation_id desc);

create function pairs_of_organisation(name text, initials text, user_name text)
  returns table (field text, pair text) immutable language sql as $$
  select 'name', unnest(letter_pairs(lower(name)))
  union
  select 'name', unnest(letter_pairs(lower(initials)))
  union
  select 'userName', unnest(letter_pairs(lower(user_name)))
$$;

create function keep_letter_pairs() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from organisation_letter_pairs kept
     using pairs_of_organisation(old.name, old.name_initials, old.owner_user_name) was
     where kept.field = was.field and kept.pair = was.pair and kept.kind = old.kind and kept.organisation_id = old.id;
  end if;
  insert into organisation_letter_pairs
  select field, pair, new.kind, new.id from pairs_of_organisation(new.name, new.name_initials, new.owner_user_name);
  return null;
end $$;
create trigger organisations_keep_new_pairs after insert on organisations
  for each row when (new.kind <> 'platform') execute function keep_letter_pairs();
create trigger organisations_keep_pairs after update of name, name_initials, owner_user_name on organisations
  for each row when (new.kind <> 'platform' and (old.name, old.name_initials, old.owner_user_name)
                     is distinct from (new.name, new.name_initials, new.owner_user_name))
  execute function keep_letter_pairs();

insert into organisation_letter_pairs
select p.field, p.pair, o.kind, o.id
  from organisations o, lateral pairs_of_organisation(o.name, o.name_initials, o.owner_user_name) p
 where o.kind <> 'platform';
