-- What people sign in with beside the password, and what hangs on it.

create table passkeys (
  tenant text not null,
  -- The credential id, base64url.
  id text not null,
  subject text not null,
  name text not null,
  -- COSE.
  public_key blob not null,
  counter integer not null,
  transports text not null,
  synced integer not null,
  created_at integer not null,
  last_used_at integer,
  primary key (tenant, id)
) strict;
create index passkeys_subject on passkeys (tenant, subject);

-- The secret of an authenticator app, sealed under the master key. `last_step` only ever moves forward.
create table totp_secrets (
  tenant text not null,
  subject text not null,
  sealed_secret blob not null,
  last_step integer not null,
  created_at integer not null,
  last_used_at integer,
  primary key (tenant, subject)
) strict;

create table recovery_codes (
  tenant text not null,
  subject text not null,
  handle text not null,
  created_at integer not null,
  primary key (tenant, subject, handle)
) strict, without rowid;

create table remembered_browsers (
  tenant text not null,
  id text not null,
  handle text not null,
  subject text not null,
  user_agent text,
  created_at integer not null,
  last_used_at integer not null,
  expires_at integer not null,
  primary key (tenant, id),
  unique (tenant, handle)
) strict;
create index remembered_browsers_subject on remembered_browsers (tenant, subject);
create index remembered_browsers_expiry on remembered_browsers (expires_at);

-- What an authenticator was asked to sign: gone with the first answer.
create table passkey_challenges (
  tenant text not null,
  handle text not null,
  browser text not null,
  purpose text not null,
  expires_at integer not null,
  primary key (tenant, handle)
) strict, without rowid;
create index passkey_challenges_expiry on passkey_challenges (expires_at);
