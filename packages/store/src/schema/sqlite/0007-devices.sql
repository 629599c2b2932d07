-- Devices that wait for a person (RFC 8628). The user code is short enough to be guessed from a plain hash, so its
-- handle is a keyed one; unique in its tenant for as long as the row is kept, so that a code never means two devices.
create table device_codes (
  tenant text not null,
  handle text not null,
  user_code text not null,
  client_id text not null,
  request text not null,
  ip text,
  user_agent text,
  asked_at integer not null,
  expires_at integer not null,
  poll_interval integer not null,
  salt blob not null,
  -- Who typed the code: nobody else can from then on.
  browser text,
  interaction text,
  denied_at integer,
  grant_id text,
  redeemed_at integer,
  successor text,
  primary key (tenant, handle)
) strict, without rowid;
create unique index device_codes_typed on device_codes (tenant, user_code);
create index device_codes_expiry on device_codes (expires_at);
