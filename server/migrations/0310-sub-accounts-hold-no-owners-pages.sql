-- Basic information (22), places (41) and goods templates (42) are for owners alone: what sub-accounts were granted of them
-- has never let them do anything.
update accounts a
   set permission_ids = array(
         select id from unnest(a.permission_ids) with ordinality as held (id, at)
          where id <> all (array[22, 221, 41, 411, 412, 413, 414, 415, 42, 421, 422, 423, 424, 425, 426]) order by at),
       updated_at = now()
  from organisations o
 where o.id = a.organisation_id and o.kind <> 'platform' and not a.is_owner
   and a.permission_ids && array[22, 221, 41, 411, 412, 413, 414, 415, 42, 421, 422, 423, 424, 425, 426];
