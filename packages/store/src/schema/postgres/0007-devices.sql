-- Devices that wait for a person (RFC 8628). The user code is short enough to be guessed from a plain hash, so its
-- handle is a keyed one; unique in its tenant for as long as the row is kept, so that a code never means two devices.
create table device_codes (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  user_code text collate "C" not null,
  client_id text collate "C" not null,
  request text collate "C" not null,
  ip text collate "C",
  user_agent text collate "C",
  asked_at bigint not null,
  expires_at bigint not null,
  poll_interval bigint not null,
  salt bytea not null,
  -- Who typed the code: nobody else can from then on.
  browser text collate "C",
  interaction text collate "C",
  denied_at bigint,
  grant_id text collate "C",
  redeemed_at bigint,
  successor text collate "C",
  primary key (tenant, handle)
);
create unique index device_codes_typed on device_codes (tenant, user_code);
create index device_codes_expiry on device_codes (expires_at);
