-- since 0.2.0
-- Token Status Lists: whether the tokens of a resource have a place in one: 1 or 0.
alter table resources add column status_list integer not null default 0;

-- Places are leased to the processes of the deployment in blocks; `next_index` is the first that nobody has. `until` is
-- the latest end of a token that may get a place of it. In one that ended, everything is dead.
create table status_lists (
  tenant text collate "C" not null,
  id text collate "C" not null,
  next_index bigint not null,
  until bigint not null,
  ended_at bigint,
  primary key (tenant, id)
);
create index status_lists_over on status_lists (until);

-- The tokens that have a place, by what may end them all at once. They go with their list.
create table status_entries (
  tenant text collate "C" not null,
  list text collate "C" not null,
  idx bigint not null,
  client_id text collate "C" not null,
  grant_id text collate "C",
  session_id text collate "C",
  issued_at bigint not null,
  primary key (tenant, list, idx)
);
create index status_entries_client on status_entries (tenant, client_id);
create index status_entries_grant on status_entries (tenant, grant_id) where grant_id is not null;
create index status_entries_session on status_entries (tenant, session_id) where session_id is not null;
