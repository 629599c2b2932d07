-- since 0.2.0
-- Who reached a shared limit of guessing, in words: written when one is reached, never before. `key` is that of the
-- limit, and a lock counts only as long as the limit itself is used up.
create table locks (
  tenant text collate "C" not null,
  key text collate "C" not null,
  limit_name text collate "C" not null,
  quota integer not null,
  window_seconds integer not null,
  kind text collate "C" not null,
  held_by text collate "C" not null,
  shown_as text collate "C",
  reached_at bigint not null,
  until bigint not null,
  primary key (tenant, key)
);
create index locks_over on locks (until);
