-- The seal of a batch lies with the last event of the batch, not in a table of its own: one page less to write for each.
alter table events add column mac blob;
update events set mac = (select s.mac from seals s where s.tenant = events.tenant and s.seq = events.seq)
  where exists (select 1 from seals s where s.tenant = events.tenant and s.seq = events.seq);
drop table seals;
