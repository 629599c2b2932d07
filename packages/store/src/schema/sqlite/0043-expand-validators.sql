-- since 0.2.0
-- Who reads the revocation feed, and how far each says that it has heard: what receipts of revocations are made of.
create table validators (
  tenant text not null,
  client_id text not null,
  id text not null,
  epoch text not null,
  heard text not null,
  closes_after integer not null,
  connections integer not null,
  since integer not null,
  seen_at integer not null,
  primary key (tenant, client_id, id)
) strict, without rowid;
create index validators_by_seen_at on validators (seen_at);
