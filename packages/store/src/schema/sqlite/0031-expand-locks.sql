-- since 0.2.0
-- Who reached a shared limit of guessing, in words: written when one is reached, never before. `key` is that of the
-- limit, and a lock counts only as long as the limit itself is used up.
create table locks (
  tenant text not null,
  key text not null,
  limit_name text not null,
  quota integer not null,
  window_seconds integer not null,
  kind text not null,
  held_by text not null,
  shown_as text,
  reached_at integer not null,
  until integer not null,
  primary key (tenant, key)
) strict, without rowid;
create index locks_over on locks (until);
