-- since 0.2.0
-- When clients were last given a token, to about a minute: gathered in memory, and apart from the clients themselves,
-- whose rows every token is checked against.
create table client_uses (
  tenant text collate "C" not null,
  client_id text collate "C" not null,
  last_used_at bigint not null,
  primary key (tenant, client_id)
);
