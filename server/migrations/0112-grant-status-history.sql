-- The online history has a key of its own (device.online, pages 34 and 3111); whoever saw it with the devices still does.
update accounts set permission_ids = permission_ids || array[34, 3111]::integer[]
 where 31 = any(permission_ids) and not 34 = any(permission_ids);
