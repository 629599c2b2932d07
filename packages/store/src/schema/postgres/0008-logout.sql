-- Who is told when a session ends, and what is still to be told. The sub is the one that client knows the person by.
alter table grants add column known_as text collate "C";

create table session_parties (
  tenant text collate "C" not null,
  session_id text collate "C" not null,
  client_id text collate "C" not null,
  -- The session as the client heard of it last; a session that renewed another tells by the old name.
  sid text collate "C" not null,
  sub text collate "C" not null,
  primary key (tenant, session_id, client_id)
);

create table deliveries (
  tenant text collate "C" not null,
  client_id text collate "C" not null,
  sid text collate "C" not null,
  sub text collate "C" not null,
  created_at bigint not null,
  -- When it may next be taken: a row that somebody has taken is due again only when they must have given up.
  due_at bigint not null,
  tries bigint not null,
  primary key (tenant, client_id, sid)
);
create index deliveries_due on deliveries (due_at);
