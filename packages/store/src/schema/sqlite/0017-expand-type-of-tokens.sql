-- since 0.2.0
-- What the header of a resource's tokens says that they are.
alter table resources add column token_typ text not null default 'at+jwt';
