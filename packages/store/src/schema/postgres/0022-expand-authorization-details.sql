-- since 0.2.0
-- Rich authorization requests (RFC 9396): the types that a tenant declares, and what was granted of them.
create table authorization_details_types (
  tenant text collate "C" not null references tenants (id),
  type text collate "C" not null,
  resources text collate "C" not null,
  schema text collate "C" not null,
  description text collate "C" not null,
  primary key (tenant, type)
);
alter table grants add column authorization_details text collate "C";
