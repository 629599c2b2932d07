-- Clients that register themselves, and the tokens that let them. A client metadata document is a client that came to
-- be by itself (origin dynamic) and has a time until which its copy is fresh.
alter table tenants add column registration text;

alter table clients add column registration_access text;
alter table clients add column fresh_until integer;
-- Until somebody uses it: only then may it be removed for being unused.
alter table clients add column unused_since integer;
create index clients_unused on clients (tenant, unused_since) where unused_since is not null;
create index clients_self_registered on clients (tenant) where origin = 'dynamic';

create table registration_tokens (
  tenant text not null references tenants (id),
  id text not null,
  handle text not null,
  created_at integer not null,
  expires_at integer,
  -- Null is any number; a token that is used up is gone.
  uses_left integer,
  primary key (tenant, id),
  unique (tenant, handle)
) strict, without rowid;
create index registration_tokens_expiry on registration_tokens (expires_at) where expires_at is not null;
