-- since 0.2.0
-- Who reads the revocation feed, and how far each says that it has heard: what receipts of revocations are made of.
create table validators (
  tenant text collate "C" not null,
  client_id text collate "C" not null,
  id text collate "C" not null,
  epoch text collate "C" not null,
  heard text not null,
  closes_after bigint not null,
  connections bigint not null,
  since bigint not null,
  seen_at bigint not null,
  primary key (tenant, client_id, id)
);
create index validators_by_seen_at on validators (seen_at);
