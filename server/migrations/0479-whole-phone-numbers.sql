-- Whole phone numbers are for those who audit refunds, and for those who change agents and merchants: they call them.
update accounts a set permission_ids = a.permission_ids || 143, updated_at = now()
 where 141 = any(a.permission_ids) and not 143 = any(a.permission_ids);
update accounts a set permission_ids = a.permission_ids || 2114, updated_at = now()
 where (216 = any(a.permission_ids) or 217 = any(a.permission_ids)) and not 2114 = any(a.permission_ids);
