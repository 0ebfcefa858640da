-- Alerts (page 35) are for those who look after devices; whoever saw the devices sees them too.
update accounts set permission_ids = permission_ids || array[35]::integer[]
 where 31 = any(permission_ids) and not 35 = any(permission_ids);
