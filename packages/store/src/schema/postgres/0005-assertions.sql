-- Client assertions that were used, until they would be refused anyway. The handle is that of the jti.
create table assertions (
  tenant text collate "C" not null,
  client text collate "C" not null,
  handle text collate "C" not null,
  expires_at bigint not null,
  primary key (tenant, client, handle)
);
create index assertions_over on assertions (expires_at);
