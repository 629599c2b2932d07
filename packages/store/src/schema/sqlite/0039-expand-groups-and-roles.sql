-- since 0.2.0
-- Groups and roles of people. A role is a bundle of scopes (a JSON list) at a resource; whoever has a role has it by
-- themselves or by a group. What a removed person, group or role leaves behind goes with them.
alter table resources add column require_roles integer not null default 0;
-- What is known of people beside the claims of OIDC.
alter table users add column attributes text;
create table roles (
  tenant text not null,
  name text not null,
  description text not null,
  resource text not null,
  scopes text not null,
  primary key (tenant, name)
) strict, without rowid;
create table user_groups (
  tenant text not null,
  id text not null,
  name text not null,
  name_key text not null,
  description text,
  external_id text,
  created_at integer not null,
  changed_at integer not null,
  version integer not null,
  primary key (tenant, id)
) strict, without rowid;
create unique index user_groups_name on user_groups (tenant, name_key);
create index user_groups_external_id on user_groups (tenant, external_id) where external_id is not null;
create table group_members (
  tenant text not null,
  group_id text not null,
  subject text not null,
  primary key (tenant, group_id, subject),
  foreign key (tenant, group_id) references user_groups (tenant, id) on delete cascade,
  foreign key (tenant, subject) references users (tenant, id) on delete cascade
) strict, without rowid;
create index group_members_subject on group_members (tenant, subject);
create table group_roles (
  tenant text not null,
  group_id text not null,
  role text not null,
  primary key (tenant, group_id, role),
  foreign key (tenant, group_id) references user_groups (tenant, id) on delete cascade,
  foreign key (tenant, role) references roles (tenant, name) on delete cascade
) strict, without rowid;
create index group_roles_role on group_roles (tenant, role);
create table user_roles (
  tenant text not null,
  subject text not null,
  role text not null,
  primary key (tenant, subject, role),
  foreign key (tenant, subject) references users (tenant, id) on delete cascade,
  foreign key (tenant, role) references roles (tenant, name) on delete cascade
) strict, without rowid;
create index user_roles_role on user_roles (tenant, role);
-- What each person has by these tables: names of roles between spaces, names of groups on lines of their own. Of the
-- groups only as many as tell that there are more than a token has room for.
create view user_memberships as
  select u.tenant, u.id,
    (select string_agg(r.role, ' ') from user_roles r where r.tenant = u.tenant and r.subject = u.id) as own_roles,
    (select string_agg(d.role, ' ') from (select distinct gr.role from group_members m
        join group_roles gr on gr.tenant = m.tenant and gr.group_id = m.group_id
        where m.tenant = u.tenant and m.subject = u.id) d) as group_roles,
    (select string_agg(n.name, char(10)) from (select g.name from group_members m
        join user_groups g on g.tenant = m.tenant and g.id = m.group_id
        where m.tenant = u.tenant and m.subject = u.id limit 201) n) as group_names
  from users u;
