-- since 0.2.0
-- Lists by one thing of many, in the order in which they are listed: whoever has a role, the groups that have it, the
-- groups of a person, and the devices that wait at a client. The shorter indexes go with the next contraction.
create index group_members_of_subject on group_members (tenant, subject, group_id);
create index group_roles_of_role on group_roles (tenant, role, group_id);
create index user_roles_of_role on user_roles (tenant, role, subject);
create index device_codes_of_client on device_codes (tenant, client_id, asked_at, handle);
-- Whoever signs up is in the same table, and nobody knows how many do.
create index invitations_made on invitations (tenant, id) where kind = 'invitation';
