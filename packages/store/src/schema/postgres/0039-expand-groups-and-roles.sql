-- since 0.2.0
-- Groups and roles of people. A role is a bundle of scopes (a JSON list) at a resource; whoever has a role has it by
-- themselves or by a group. What a removed person, group or role leaves behind goes with them.
alter table resources add column require_roles integer not null default 0;
-- What is known of people beside the claims of OIDC.
alter table users add column attributes text collate "C";
create table roles (
  tenant text collate "C" not null,
  name text collate "C" not null,
  description text collate "C" not null,
  resource text collate "C" not null,
  scopes text collate "C" not null,
  primary key (tenant, name)
);
create table user_groups (
  tenant text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  name_key text collate "C" not null,
  description text collate "C",
  external_id text collate "C",
  created_at bigint not null,
  changed_at bigint not null,
  version bigint not null,
  primary key (tenant, id)
);
create unique index user_groups_name on user_groups (tenant, name_key);
create index user_groups_external_id on user_groups (tenant, external_id) where external_id is not null;
create table group_members (
  tenant text collate "C" not null,
  group_id text collate "C" not null,
  subject text collate "C" not null,
  primary key (tenant, group_id, subject),
  foreign key (tenant, group_id) references user_groups (tenant, id) on delete cascade,
  foreign key (tenant, subject) references users (tenant, id) on delete cascade
);
create index group_members_subject on group_members (tenant, subject);
create table group_roles (
  tenant text collate "C" not null,
  group_id text collate "C" not null,
  role text collate "C" not null,
  primary key (tenant, group_id, role),
  foreign key (tenant, group_id) references user_groups (tenant, id) on delete cascade,
  foreign key (tenant, role) references roles (tenant, name) on delete cascade
);
create index group_roles_role on group_roles (tenant, role);
create table user_roles (
  tenant text collate "C" not null,
  subject text collate "C" not null,
  role text collate "C" not null,
  primary key (tenant, subject, role),
  foreign key (tenant, subject) references users (tenant, id) on delete cascade,
  foreign key (tenant, role) references roles (tenant, name) on delete cascade
);
create index user_roles_role on user_roles (tenant, role);
-- What each person has by these tables: names of roles between spaces, names of groups on lines of their own. Of the
-- groups only as many as tell that there are more than a token has room for.
create view user_memberships as
  select u.tenant, u.id,
    (select string_agg(r.role, ' ') from user_roles r where r.tenant = u.tenant and r.subject = u.id) as own_roles,
    (select string_agg(d.role, ' ') from (select distinct gr.role from group_members m
        join group_roles gr on gr.tenant = m.tenant and gr.group_id = m.group_id
        where m.tenant = u.tenant and m.subject = u.id) d) as group_roles,
    (select string_agg(n.name, chr(10)) from (select g.name from group_members m
        join user_groups g on g.tenant = m.tenant and g.id = m.group_id
        where m.tenant = u.tenant and m.subject = u.id limit 201) n) as group_names
  from users u;
