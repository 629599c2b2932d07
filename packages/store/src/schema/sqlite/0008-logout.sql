-- Who is told when a session ends, and what is still to be told. The sub is the one that client knows the person by.
alter table grants add column known_as text;

create table session_parties (
  tenant text not null,
  session_id text not null,
  client_id text not null,
  -- The session as the client heard of it last; a session that renewed another tells by the old name.
  sid text not null,
  sub text not null,
  primary key (tenant, session_id, client_id)
) strict, without rowid;

create table deliveries (
  tenant text not null,
  client_id text not null,
  sid text not null,
  sub text not null,
  created_at integer not null,
  -- When it may next be taken: a row that somebody has taken is due again only when they must have given up.
  due_at integer not null,
  tries integer not null,
  primary key (tenant, client_id, sid)
) strict, without rowid;
create index deliveries_due on deliveries (due_at);
