-- since 0.2.0
-- As before, but that roles are told apart only of people who are in a group: SQLite makes a table for that each time.
create or replace view user_memberships as
  select u.tenant, u.id,
    (select string_agg(r.role, ' ') from user_roles r where r.tenant = u.tenant and r.subject = u.id) as own_roles,
    case when exists (select 1 from group_members m where m.tenant = u.tenant and m.subject = u.id) then
      (select string_agg(d.role, ' ') from (select distinct gr.role from group_members m
        join group_roles gr on gr.tenant = m.tenant and gr.group_id = m.group_id
        where m.tenant = u.tenant and m.subject = u.id) d) end as group_roles,
    (select string_agg(n.name, chr(10)) from (select g.name from group_members m
        join user_groups g on g.tenant = m.tenant and g.id = m.group_id
        where m.tenant = u.tenant and m.subject = u.id limit 201) n) as group_names
  from users u;
