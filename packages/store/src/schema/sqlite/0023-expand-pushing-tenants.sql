-- since 0.2.0
-- Whether all clients of a tenant push their authorization requests (RFC 9126 §5): 1 or 0; null where the deployment says.
alter table tenants add column require_pushed integer;
