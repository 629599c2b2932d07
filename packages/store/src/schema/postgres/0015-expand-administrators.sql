-- since 0.2.0
-- Who of the people administers, and whose password was made for them and must be changed at the next sign-in.
alter table users add column administrator text collate "C";
alter table users add column must_change_password bigint not null default 0;
create index users_administrator on users (tenant, administrator) where administrator is not null;
