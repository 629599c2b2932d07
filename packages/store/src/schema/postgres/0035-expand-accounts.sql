-- since 0.2.0
-- What a tenant says of the accounts of its people: a JSON object, or null where nobody makes one alone.
alter table tenants add column accounts text;
-- The terms of use that a person last agreed to, and when.
alter table users add column terms_version text;
alter table users add column terms_accepted_at bigint;
-- The person asked for their account to be deleted: it is from then on.
alter table users add column deletion_due_at bigint;
create index users_deletion on users (deletion_due_at) where deletion_due_at is not null;
-- Who may make an account by the link they were sent: because they asked for it, or because an administrator did. An
-- invitation that was used, or is over, has no row.
create table invitations (
  tenant text not null,
  id text not null,
  handle text not null,
  kind text not null,
  email text not null,
  email_key text not null,
  -- JSON: what the account has from the beginning.
  preset text not null,
  invited_by text,
  -- The authorization that somebody left to make an account, sealed.
  sealed_return bytea,
  made_at bigint not null,
  expires_at bigint not null,
  primary key (tenant, handle)
);
create unique index invitations_id on invitations (tenant, id);
create index invitations_email on invitations (tenant, email_key);
create index invitations_expiry on invitations (expires_at);
