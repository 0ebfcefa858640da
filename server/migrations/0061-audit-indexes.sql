-- Each filter of the audit trail has its own way to the newest entries; the id decides between entries of one instant.
drop index audit_trail_organisation;
drop index audit_trail_at;
create index audit_trail_at on audit_trail (at desc, id desc);
create index audit_trail_organisation on audit_trail (organisation_id, at desc, id desc);
create index audit_trail_account on audit_trail (account_id, at desc, id desc) where account_id is not null;
create index audit_trail_user on audit_trail (lower(user_name), at desc, id desc);
create index audit_trail_action on audit_trail (action, at desc, id desc);
create index audit_trail_target on audit_trail (target, at desc, id desc) where target <> '';
create index audit_trail_organisation_action on audit_trail (organisation_id, action, at desc, id desc);
create index audit_trail_refused on audit_trail (at desc, id desc) where outcome <> '000';
create index audit_trail_organisation_refused on audit_trail (organisation_id, at desc, id desc) where outcome <> '000';
