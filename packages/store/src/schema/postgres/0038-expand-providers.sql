-- since 0.2.0
-- Others that people of a tenant sign in by: a JSON list as it was declared, secrets sealed; or null.
alter table tenants add column providers text collate "C";
-- By whom somebody came in, and what that provider calls the session; null for those who signed in here.
alter table sessions add column provider text collate "C";
alter table sessions add column upstream_sid text collate "C";
create index sessions_upstream on sessions (tenant, provider, upstream_sid) where upstream_sid is not null;

-- Who somebody is there: what its issuer calls them, and never an address.
create table identities (
  tenant text collate "C" not null,
  provider text collate "C" not null,
  issuer text collate "C" not null,
  upstream_subject text collate "C" not null,
  subject text collate "C" not null,
  created_at bigint not null,
  primary key (tenant, provider, issuer, upstream_subject)
);
create index identities_subject on identities (tenant, subject);

-- Browsers that were sent to a provider and are not back yet: gone with the first return.
create table provider_visits (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  provider text collate "C" not null,
  browser text collate "C" not null,
  sealed bytea not null,
  expires_at bigint not null,
  primary key (tenant, handle)
);
create index provider_visits_expiry on provider_visits (expires_at);
