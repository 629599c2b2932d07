-- since 0.2.0
-- How a tenant looks to people: a JSON object, or null. The bytes of its logo lie apart, so that nobody who reads
-- tenants reads pictures.
alter table tenants add column branding text collate "C";
create table tenant_logos (
  tenant text collate "C" primary key,
  hash text collate "C" not null,
  type text collate "C" not null,
  bytes bytea not null
);
