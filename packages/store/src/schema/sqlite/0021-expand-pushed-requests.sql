-- since 0.2.0
-- Authorization requests that clients pushed (RFC 9126), as they were accepted. The handle is that of the request_uri.
-- A row outlives the reference by one interaction, which may have been opened at its last moment.
create table pushed_requests (
  tenant text not null,
  handle text not null,
  client_id text not null,
  request text not null,
  expires_at integer not null,
  kept_until integer not null,
  used_at integer,
  primary key (tenant, handle)
) strict, without rowid;
create index pushed_requests_over on pushed_requests (kept_until);
