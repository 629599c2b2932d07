-- since 0.2.0
-- Others that people of a tenant sign in by: a JSON list as it was declared, secrets sealed; or null.
alter table tenants add column providers text;
-- By whom somebody came in, and what that provider calls the session; null for those who signed in here.
alter table sessions add column provider text;
alter table sessions add column upstream_sid text;
create index sessions_upstream on sessions (tenant, provider, upstream_sid) where upstream_sid is not null;

-- Who somebody is there: what its issuer calls them, and never an address.
create table identities (
  tenant text not null,
  provider text not null,
  issuer text not null,
  upstream_subject text not null,
  subject text not null,
  created_at integer not null,
  primary key (tenant, provider, issuer, upstream_subject)
) strict, without rowid;
create index identities_subject on identities (tenant, subject);

-- Browsers that were sent to a provider and are not back yet: gone with the first return.
create table provider_visits (
  tenant text not null,
  handle text not null,
  provider text not null,
  browser text not null,
  sealed blob not null,
  expires_at integer not null,
  primary key (tenant, handle)
) strict, without rowid;
create index provider_visits_expiry on provider_visits (expires_at);
