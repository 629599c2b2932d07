-- Client assertions that were used, until they would be refused anyway. The handle is that of the jti.
create table assertions (
  tenant text not null,
  client text not null,
  handle text not null,
  expires_at integer not null,
  primary key (tenant, client, handle)
) strict, without rowid;
create index assertions_over on assertions (expires_at);
