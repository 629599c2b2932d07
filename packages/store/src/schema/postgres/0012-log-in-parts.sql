-- Every tenant that ever had an event.
create table logs (
  tenant text collate "C" primary key
);
insert into logs (tenant) select tenant from events union select tenant from checkpoints;

-- SQLite keeps the log of a tenant in parts (docs/decisions/0016); here it is one.
create view tenant_log as select 0 as part, e.* from events e;
