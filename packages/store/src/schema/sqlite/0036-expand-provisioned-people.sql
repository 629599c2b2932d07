-- since 0.2.0
-- People who are provisioned from elsewhere (SCIM): what is kept for whoever does it, and by which name they are known
-- there. When a person was last changed is told to them, too.
alter table users add column provisioned text;
alter table users add column external_id text;
alter table users add column changed_at integer;
create index users_external_id on users (tenant, external_id) where external_id is not null;
