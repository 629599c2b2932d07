-- The deployment, its directory, tokens, keys and the event log. Times are milliseconds; every table is keyed by tenant.

create table deployment (
  one integer primary key check (one = 1),
  epoch text not null,
  epoch_at integer not null,
  -- Stamps every change of the directory; tenant revisions and client versions are taken from it, so none is used twice.
  clock integer not null,
  -- What seals the log, itself sealed under the master key: it outlives every master key.
  audit_key blob
) strict;

create table tenants (
  id text primary key,
  name text not null,
  revision integer not null,
  created_at integer not null,
  disabled_at integer
) strict, without rowid;

-- What watchers poll; a tenant's row outlives the tenant, so that its removal is noticed too.
create table directory_changes (
  tenant text primary key,
  clock integer not null
) strict, without rowid;
create index directory_changes_clock on directory_changes (clock);

create table resources (
  tenant text not null references tenants (id),
  identifier text not null,
  name text not null,
  token_format text not null check (token_format in ('jwt', 'opaque')),
  access_ttl integer,
  primary key (tenant, identifier)
) strict, without rowid;

create table scopes (
  tenant text not null references tenants (id),
  name text not null,
  description text not null,
  resource text,
  sensitivity text not null check (sensitivity in ('low', 'normal', 'high')),
  mode text not null check (mode in ('default', 'optional')),
  primary key (tenant, name)
) strict, without rowid;

create table clients (
  tenant text not null references tenants (id),
  id text not null,
  metadata text not null,
  origin text not null check (origin in ('manual', 'declared', 'dynamic')),
  created_at integer not null,
  updated_at integer not null,
  disabled_at integer,
  version integer not null,
  primary key (tenant, id)
) strict, without rowid;

create table client_secrets (
  tenant text not null,
  client text not null,
  handle text not null,
  created_at integer not null,
  expires_at integer,
  primary key (tenant, client, handle),
  foreign key (tenant, client) references clients (tenant, id)
) strict, without rowid;
create index client_secrets_expiry on client_secrets (expires_at) where expires_at is not null;

create table keys (
  tenant text not null references tenants (id),
  kid text not null,
  alg text not null,
  generation integer not null,
  published_at integer not null,
  activates_at integer not null,
  noted_active_at integer,
  dropped_at integer,
  public_jwk text not null,
  sealed_private blob not null,
  primary key (tenant, kid),
  unique (tenant, alg, generation)
) strict;

-- Without a reference to tenants: the guard of the verb stands in for it, and issuance locks no shared row.
create table opaque_tokens (
  tenant text not null,
  handle text not null,
  jti text not null,
  client_id text not null,
  subject text not null,
  grant_id text,
  audience text not null,
  scope text not null,
  issued_at integer not null,
  expires_at integer not null,
  claims text not null,
  primary key (tenant, handle)
) strict, without rowid;
create index opaque_tokens_expiry on opaque_tokens (expires_at);

create table revoked_tokens (
  tenant text not null,
  jti text not null,
  revoked_at integer not null,
  expires_at integer not null,
  primary key (tenant, jti)
) strict, without rowid;
create index revoked_tokens_expiry on revoked_tokens (expires_at);

-- No foreign keys here: the log outlives what it speaks of.
create table events (
  pos integer primary key,
  tenant text not null,
  seq integer not null,
  at integer not null,
  feed integer not null,
  body text not null,
  hash blob not null,
  unique (tenant, seq)
) strict;
create index events_feed on events (pos) where feed = 1;
create index events_feed_tenant on events (tenant, pos) where feed = 1;

create table seals (
  tenant text not null,
  seq integer not null,
  hash blob not null,
  mac blob not null,
  at integer not null,
  primary key (tenant, seq)
) strict, without rowid;

-- Where a tenant's log begins after older events were dropped.
create table checkpoints (
  tenant text primary key,
  seq integer not null,
  hash blob not null,
  at integer not null,
  signature blob not null
) strict, without rowid;

create table log_position (
  one integer primary key check (one = 1),
  pos integer not null
) strict;
insert into log_position (one, pos) values (1, 0);
