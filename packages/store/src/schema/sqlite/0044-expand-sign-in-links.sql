-- since 0.2.0
-- Links that sign in whoever asked for one. Only the browser that asked may use one; a spent link has no row.
create table sign_in_links (
  tenant text not null,
  handle text not null,
  subject text not null,
  browser text not null,
  -- The authorization that somebody left to sign in, sealed.
  sealed_return blob,
  made_at integer not null,
  expires_at integer not null,
  primary key (tenant, handle)
) strict, without rowid;
create index sign_in_links_subject on sign_in_links (tenant, subject);
create index sign_in_links_expiry on sign_in_links (expires_at);
