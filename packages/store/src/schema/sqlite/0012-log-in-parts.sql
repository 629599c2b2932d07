-- The log of a tenant is found part by part (docs/decisions/0016): an event then touches one of the few pages of the part
-- that all events of its time share, not a page of its own tenant.
create table log_parts (
  part integer primary key
) strict;
insert into log_parts (part) select distinct pos >> 11 from events;

-- Every tenant that ever had an event.
create table logs (
  tenant text primary key
) strict, without rowid;
insert into logs (tenant) select tenant from events union select tenant from checkpoints;

-- Made anew, because the key by tenant was part of it.
create table events_in_parts (
  pos integer primary key,
  tenant text not null,
  seq integer not null,
  at integer not null,
  feed integer not null,
  subject text,
  body text not null,
  hash blob not null,
  mac blob,
  part integer generated always as (pos >> 11) virtual
) strict;
insert into events_in_parts (pos, tenant, seq, at, feed, subject, body, hash, mac)
  select pos, tenant, seq, at, feed, subject, body, hash, mac from events order by pos;
drop table events;
alter table events_in_parts rename to events;
create unique index events_tenant on events (part, tenant, seq);
create index events_feed on events (pos) where feed = 1;
create index events_feed_tenant on events (tenant, pos) where feed = 1;
create index events_subject on events (tenant, subject, seq) where subject is not null;

create view tenant_log as
  select p.part, e.pos, e.tenant, e.seq, e.at, e.feed, e.subject, e.body, e.hash, e.mac
  from log_parts p cross join events e on e.part = p.part;
