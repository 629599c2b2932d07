-- since 0.2.0
-- Rich authorization requests (RFC 9396): the types that a tenant declares, and what was granted of them.
create table authorization_details_types (
  tenant text not null references tenants (id),
  type text not null,
  resources text not null,
  schema text not null,
  description text not null,
  primary key (tenant, type)
);
alter table grants add column authorization_details text;
