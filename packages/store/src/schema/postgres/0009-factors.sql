-- What people sign in with beside the password, and what hangs on it.

create table passkeys (
  tenant text collate "C" not null,
  -- The credential id, base64url.
  id text collate "C" not null,
  subject text collate "C" not null,
  name text collate "C" not null,
  -- COSE.
  public_key bytea not null,
  counter bigint not null,
  transports text collate "C" not null,
  synced bigint not null,
  created_at bigint not null,
  last_used_at bigint,
  primary key (tenant, id)
);
create index passkeys_subject on passkeys (tenant, subject);

-- The secret of an authenticator app, sealed under the master key. `last_step` only ever moves forward.
create table totp_secrets (
  tenant text collate "C" not null,
  subject text collate "C" not null,
  sealed_secret bytea not null,
  last_step bigint not null,
  created_at bigint not null,
  last_used_at bigint,
  primary key (tenant, subject)
);

create table recovery_codes (
  tenant text collate "C" not null,
  subject text collate "C" not null,
  handle text collate "C" not null,
  created_at bigint not null,
  primary key (tenant, subject, handle)
);

create table remembered_browsers (
  tenant text collate "C" not null,
  id text collate "C" not null,
  handle text collate "C" not null,
  subject text collate "C" not null,
  user_agent text collate "C",
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null,
  primary key (tenant, id),
  unique (tenant, handle)
);
create index remembered_browsers_subject on remembered_browsers (tenant, subject);
create index remembered_browsers_expiry on remembered_browsers (expires_at);

-- What an authenticator was asked to sign: gone with the first answer.
create table passkey_challenges (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  browser text collate "C" not null,
  purpose text collate "C" not null,
  expires_at bigint not null,
  primary key (tenant, handle)
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
