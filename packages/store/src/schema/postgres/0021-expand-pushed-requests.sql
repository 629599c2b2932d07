-- since 0.2.0
-- Authorization requests that clients pushed (RFC 9126), as they were accepted. The handle is that of the request_uri.
-- A row outlives the reference by one interaction, which may have been opened at its last moment.
create table pushed_requests (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  client_id text collate "C" not null,
  request text collate "C" not null,
  expires_at bigint not null,
  kept_until bigint not null,
  used_at bigint,
  primary key (tenant, handle)
);
create index pushed_requests_over on pushed_requests (kept_until);
