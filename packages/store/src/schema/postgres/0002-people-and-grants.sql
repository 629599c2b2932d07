-- People, their browsers, what they approved, and what hangs on it.

create table users (
  tenant text collate "C" not null references tenants (id),
  id text collate "C" not null,
  username text collate "C" not null,
  -- The normalised form: what sign-in compares and what is unique.
  username_key text collate "C" not null,
  claims text collate "C" not null,
  password_hash text collate "C",
  password_changed_at bigint,
  created_at bigint not null,
  disabled_at bigint,
  version bigint not null,
  primary key (tenant, id),
  unique (tenant, username_key)
);

create table sessions (
  tenant text collate "C" not null,
  id text collate "C" not null,
  handle text collate "C" not null,
  browser text collate "C" not null,
  subject text collate "C" not null,
  authenticated_at bigint not null,
  acr text collate "C" not null,
  amr text collate "C" not null,
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null,
  ended_at bigint,
  ip text collate "C",
  user_agent text collate "C",
  primary key (tenant, id),
  unique (tenant, handle)
);
create index sessions_browser on sessions (tenant, browser);
create index sessions_subject on sessions (tenant, subject);
create index sessions_expiry on sessions (expires_at);

create table interactions (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  browser text collate "C" not null,
  kind text collate "C" not null check (kind in ('authorize', 'device', 'logout')),
  request text collate "C" not null,
  progress text collate "C" not null,
  opened_at bigint not null,
  expires_at bigint not null,
  closed_at bigint,
  version bigint not null,
  primary key (tenant, handle)
);
create index interactions_expiry on interactions (expires_at);

create table grants (
  tenant text collate "C" not null,
  id text collate "C" not null,
  client_id text collate "C" not null,
  subject text collate "C" not null,
  session_id text collate "C" not null,
  authenticated_at bigint not null,
  acr text collate "C" not null,
  amr text collate "C" not null,
  scope text collate "C" not null,
  resources text collate "C" not null,
  claims text collate "C",
  nonce text collate "C",
  created_at bigint not null,
  expires_at bigint not null,
  last_used_at bigint,
  revoked_at bigint,
  primary key (tenant, id)
);
create index grants_subject on grants (tenant, subject, client_id);
create index grants_client on grants (tenant, client_id);
create index grants_expiry on grants (expires_at);

create table codes (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  grant_id text collate "C" not null,
  redirect_uri text collate "C" not null,
  redirect_uri_sent bigint not null,
  challenge text collate "C",
  expires_at bigint not null,
  spent_at bigint,
  failures bigint not null default 0,
  primary key (tenant, handle),
  foreign key (tenant, grant_id) references grants (tenant, id)
);
create index codes_grant on codes (tenant, grant_id);
create index codes_expiry on codes (expires_at);

create table refresh_tokens (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  grant_id text collate "C" not null,
  scope text collate "C" not null,
  salt bytea not null,
  expires_at bigint not null,
  spent_at bigint,
  successor text collate "C",
  primary key (tenant, handle),
  foreign key (tenant, grant_id) references grants (tenant, id)
);
create index refresh_tokens_grant on refresh_tokens (tenant, grant_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

-- Proof of approval, kept for audit: no row is ever changed but for its end.
create table consents (
  tenant text collate "C" not null,
  id text collate "C" not null,
  subject text collate "C" not null,
  client_id text collate "C" not null,
  client text collate "C" not null,
  scope text collate "C" not null,
  resources text collate "C" not null,
  authorization_details text collate "C",
  claims text collate "C",
  granted_at bigint not null,
  expires_at bigint,
  how text collate "C" not null check (how in ('page', 'device', 'back_channel', 'administrator')),
  text_version text collate "C" not null,
  grant_id text collate "C" not null,
  revoked_at bigint,
  revoked_by text collate "C",
  primary key (tenant, id)
);
create index consents_subject on consents (tenant, subject, client_id);
