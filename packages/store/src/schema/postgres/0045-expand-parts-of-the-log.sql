-- since 0.2.0
-- The log in parts that are dropped whole (docs/decisions/0034). The table that was the log holds what no part does, so
-- that a program which makes no parts goes on as it did; it is not read here, however long it is.
alter table events rename to events_rest;
create table events (
  like events_rest including defaults,
  constraint events_by_position primary key (pos)
) partition by range (pos);
alter table events attach partition events_rest default;
create or replace view tenant_log as select 0 as part, e.* from events e;

-- What is dropped row by row.
create view tenant_log_by_row as select 0 as part, e.* from events_rest e;
