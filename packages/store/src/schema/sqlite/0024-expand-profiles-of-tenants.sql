-- since 0.2.0
-- The profile that all clients of a tenant are held to, by its name; null where each has its own or none.
alter table tenants add column profile text;
