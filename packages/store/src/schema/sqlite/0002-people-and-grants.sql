-- People, their browsers, what they approved, and what hangs on it.

create table users (
  tenant text not null references tenants (id),
  id text not null,
  username text not null,
  -- The normalised form: what sign-in compares and what is unique.
  username_key text not null,
  claims text not null,
  password_hash text,
  password_changed_at integer,
  created_at integer not null,
  disabled_at integer,
  version integer not null,
  primary key (tenant, id),
  unique (tenant, username_key)
) strict;

create table sessions (
  tenant text not null,
  id text not null,
  handle text not null,
  browser text not null,
  subject text not null,
  authenticated_at integer not null,
  acr text not null,
  amr text not null,
  created_at integer not null,
  last_seen_at integer not null,
  expires_at integer not null,
  ended_at integer,
  ip text,
  user_agent text,
  primary key (tenant, id),
  unique (tenant, handle)
) strict;
create index sessions_browser on sessions (tenant, browser);
create index sessions_subject on sessions (tenant, subject);
create index sessions_expiry on sessions (expires_at);

create table interactions (
  tenant text not null,
  handle text not null,
  browser text not null,
  kind text not null check (kind in ('authorize', 'device', 'logout')),
  request text not null,
  progress text not null,
  opened_at integer not null,
  expires_at integer not null,
  closed_at integer,
  version integer not null,
  primary key (tenant, handle)
) strict;
create index interactions_expiry on interactions (expires_at);

create table grants (
  tenant text not null,
  id text not null,
  client_id text not null,
  subject text not null,
  session_id text not null,
  authenticated_at integer not null,
  acr text not null,
  amr text not null,
  scope text not null,
  resources text not null,
  claims text,
  nonce text,
  created_at integer not null,
  expires_at integer not null,
  last_used_at integer,
  revoked_at integer,
  primary key (tenant, id)
) strict;
create index grants_subject on grants (tenant, subject, client_id);
create index grants_client on grants (tenant, client_id);
create index grants_expiry on grants (expires_at);

create table codes (
  tenant text not null,
  handle text not null,
  grant_id text not null,
  redirect_uri text not null,
  redirect_uri_sent integer not null,
  challenge text,
  expires_at integer not null,
  spent_at integer,
  failures integer not null default 0,
  primary key (tenant, handle),
  foreign key (tenant, grant_id) references grants (tenant, id)
) strict, without rowid;
create index codes_grant on codes (tenant, grant_id);
create index codes_expiry on codes (expires_at);

create table refresh_tokens (
  tenant text not null,
  handle text not null,
  grant_id text not null,
  scope text not null,
  salt blob not null,
  expires_at integer not null,
  spent_at integer,
  successor text,
  primary key (tenant, handle),
  foreign key (tenant, grant_id) references grants (tenant, id)
) strict, without rowid;
create index refresh_tokens_grant on refresh_tokens (tenant, grant_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

-- Proof of approval, kept for audit: no row is ever changed but for its end.
create table consents (
  tenant text not null,
  id text not null,
  subject text not null,
  client_id text not null,
  client text not null,
  scope text not null,
  resources text not null,
  authorization_details text,
  claims text,
  granted_at integer not null,
  expires_at integer,
  how text not null check (how in ('page', 'device', 'back_channel', 'administrator')),
  text_version text not null,
  grant_id text not null,
  revoked_at integer,
  revoked_by text,
  primary key (tenant, id)
) strict;
create index consents_subject on consents (tenant, subject, client_id);
