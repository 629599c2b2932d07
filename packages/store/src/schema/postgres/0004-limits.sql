-- What was used of a limit that all nodes share. `tat` is when it would be whole again, in microseconds: an interval
-- such as a minute over seven has no whole milliseconds. Keys are hashes: no address, no name.
create table limits (
  key text collate "C" primary key,
  tat bigint not null
);
create index limits_over on limits (tat);
