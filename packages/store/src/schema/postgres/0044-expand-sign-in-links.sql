-- since 0.2.0
-- Links that sign in whoever asked for one. Only the browser that asked may use one; a spent link has no row.
create table sign_in_links (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  subject text collate "C" not null,
  browser text collate "C" not null,
  -- The authorization that somebody left to sign in, sealed.
  sealed_return bytea,
  made_at bigint not null,
  expires_at bigint not null,
  primary key (tenant, handle)
);
create index sign_in_links_subject on sign_in_links (tenant, subject);
create index sign_in_links_expiry on sign_in_links (expires_at);
