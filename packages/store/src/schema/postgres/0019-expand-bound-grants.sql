-- since 0.2.0
-- The key or certificate (RFC 7800) that whoever redeems something of the grant must prove to have; null where none.
alter table grants add column confirmation text;

-- DPoP proofs that were used (RFC 9449 §11.1), until they would be refused anyway. The handle is that of key and jti.
create table used_proofs (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  expires_at bigint not null,
  primary key (tenant, handle)
);
create index used_proofs_over on used_proofs (expires_at);
