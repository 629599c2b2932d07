-- since 0.2.0
-- API keys, by the hash of what opens with them. A revoked one is kept for a while, so that its use is known for what it is.
create table api_keys (
  tenant text not null references tenants (id),
  id text not null,
  handle text not null,
  name text not null,
  client_id text not null,
  resource text not null,
  -- Names between spaces; null is all that the client has there.
  scope text,
  addresses text not null,
  created_at integer not null,
  created_by text not null,
  expires_at integer,
  last_used_at integer,
  revoked_at integer,
  primary key (tenant, id),
  unique (tenant, handle)
) strict, without rowid;
create index api_keys_of_client on api_keys (tenant, client_id, id);
create index api_keys_of_resource on api_keys (tenant, resource, id);
create index api_keys_expiry on api_keys (expires_at) where expires_at is not null;
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;
