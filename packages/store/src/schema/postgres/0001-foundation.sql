-- The deployment, its directory, tokens, keys and the event log. Times are milliseconds; every table is keyed by tenant.
-- Text compares by bytes (collate "C"), as it does on SQLite.

create table deployment (
  one bigint primary key check (one = 1),
  epoch text collate "C" not null,
  epoch_at bigint not null,
  -- Stamps every change of the directory; tenant revisions and client versions are taken from it, so none is used twice.
  clock bigint not null,
  -- What seals the log, itself sealed under the master key: it outlives every master key.
  audit_key bytea
);

create table tenants (
  id text collate "C" primary key,
  name text collate "C" not null,
  revision bigint not null,
  created_at bigint not null,
  disabled_at bigint
);

-- What watchers poll; a tenant's row outlives the tenant, so that its removal is noticed too.
create table directory_changes (
  tenant text collate "C" primary key,
  clock bigint not null
);
create index directory_changes_clock on directory_changes (clock);

create table resources (
  tenant text collate "C" not null references tenants (id),
  identifier text collate "C" not null,
  name text collate "C" not null,
  token_format text collate "C" not null check (token_format in ('jwt', 'opaque')),
  access_ttl bigint,
  primary key (tenant, identifier)
);

create table scopes (
  tenant text collate "C" not null references tenants (id),
  name text collate "C" not null,
  description text collate "C" not null,
  resource text collate "C",
  sensitivity text collate "C" not null check (sensitivity in ('low', 'normal', 'high')),
  mode text collate "C" not null check (mode in ('default', 'optional')),
  primary key (tenant, name)
);

create table clients (
  tenant text collate "C" not null references tenants (id),
  id text collate "C" not null,
  metadata text collate "C" not null,
  origin text collate "C" not null check (origin in ('manual', 'declared', 'dynamic')),
  created_at bigint not null,
  updated_at bigint not null,
  disabled_at bigint,
  version bigint not null,
  primary key (tenant, id)
);

create table client_secrets (
  tenant text collate "C" not null,
  client text collate "C" not null,
  handle text collate "C" not null,
  created_at bigint not null,
  expires_at bigint,
  primary key (tenant, client, handle),
  foreign key (tenant, client) references clients (tenant, id)
);
create index client_secrets_expiry on client_secrets (expires_at) where expires_at is not null;

create table keys (
  tenant text collate "C" not null references tenants (id),
  kid text collate "C" not null,
  alg text collate "C" not null,
  generation bigint not null,
  published_at bigint not null,
  activates_at bigint not null,
  noted_active_at bigint,
  dropped_at bigint,
  public_jwk text collate "C" not null,
  sealed_private bytea not null,
  primary key (tenant, kid),
  unique (tenant, alg, generation)
);

-- Without a reference to tenants: the guard of the verb stands in for it, and issuance locks no shared row.
create table opaque_tokens (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  jti text collate "C" not null,
  client_id text collate "C" not null,
  subject text collate "C" not null,
  grant_id text collate "C",
  audience text collate "C" not null,
  scope text collate "C" not null,
  issued_at bigint not null,
  expires_at bigint not null,
  claims text collate "C" not null,
  primary key (tenant, handle)
);
create index opaque_tokens_expiry on opaque_tokens (expires_at);

create table revoked_tokens (
  tenant text collate "C" not null,
  jti text collate "C" not null,
  revoked_at bigint not null,
  expires_at bigint not null,
  primary key (tenant, jti)
);
create index revoked_tokens_expiry on revoked_tokens (expires_at);

-- No foreign keys here: the log outlives what it speaks of.
create table events (
  pos bigint primary key,
  tenant text collate "C" not null,
  seq bigint not null,
  at bigint not null,
  feed bigint not null,
  body text collate "C" not null,
  hash bytea not null,
  unique (tenant, seq)
);
create index events_feed on events (pos) where feed = 1;
create index events_feed_tenant on events (tenant, pos) where feed = 1;

create table seals (
  tenant text collate "C" not null,
  seq bigint not null,
  hash bytea not null,
  mac bytea not null,
  at bigint not null,
  primary key (tenant, seq)
);

-- Where a tenant's log begins after older events were dropped.
create table checkpoints (
  tenant text collate "C" primary key,
  seq bigint not null,
  hash bytea not null,
  at bigint not null,
  signature bytea not null
);

create table log_position (
  one bigint primary key check (one = 1),
  pos bigint not null
);
insert into log_position (one, pos) values (1, 0);

-- Committed events that have no place yet. The notary moves them into the log; `n` is only an order of arrival.
create table events_pending (
  n bigint generated always as identity primary key,
  tenant text collate "C" not null,
  at bigint not null,
  feed bigint not null,
  body text collate "C" not null
);
-- It is always short and always churning: vacuum by count, not by share of its size.
alter table events_pending set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- A wake-up for the other nodes; they poll as well, so a lost one costs a second and no more.
create function announce_directory_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('grantor_' || tg_table_schema, 'directory');
  return null;
end $$;
create trigger directory_changed after insert or update on directory_changes
  for each statement execute function announce_directory_change();
