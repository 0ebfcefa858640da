-- A merchant resets the two-step of its own sub-accounts: who may give them a new password may do that too.
update accounts a set permission_ids = a.permission_ids || 246, updated_at = now()
  from organisations o
 where o.id = a.organisation_id and o.kind = 'merchant' and a.is_owner
   and 244 = any(a.permission_ids) and not 246 = any(a.permission_ids);
