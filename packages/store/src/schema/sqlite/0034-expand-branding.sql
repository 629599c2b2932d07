-- since 0.2.0
-- How a tenant looks to people: a JSON object, or null. The bytes of its logo lie apart, so that nobody who reads
-- tenants reads pictures.
alter table tenants add column branding text;
create table tenant_logos (
  tenant text primary key,
  hash text not null,
  type text not null,
  bytes blob not null
) strict, without rowid;
