-- since 0.2.0
-- API keys, by the hash of what opens with them. A revoked one is kept for a while, so that its use is known for what it is.
create table api_keys (
  tenant text collate "C" not null references tenants (id),
  id text collate "C" not null,
  handle text collate "C" not null,
  name text collate "C" not null,
  client_id text collate "C" not null,
  resource text collate "C" not null,
  -- Names between spaces; null is all that the client has there.
  scope text collate "C",
  addresses text collate "C" not null,
  created_at bigint not null,
  created_by text collate "C" not null,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint,
  primary key (tenant, id),
  unique (tenant, handle)
);
create index api_keys_of_client on api_keys (tenant, client_id, id);
create index api_keys_of_resource on api_keys (tenant, resource, id);
create index api_keys_expiry on api_keys (expires_at) where expires_at is not null;
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;
