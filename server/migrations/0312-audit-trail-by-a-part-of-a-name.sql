-- What was changed is found by a part of its name: three letters and more by these, two along the time. Orders, which are
-- most of the trail, are looked up by their whole id.
create index audit_trail_target_parts on audit_trail using gin (lower(target) gin_trgm_ops)
 where target <> '' and action not like 'order.%';
create index audit_trail_named on audit_trail (at desc, id desc) where target <> '' and action not like 'order.%';
