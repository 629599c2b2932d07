-- since 0.2.0
-- What is dropped row by row: here all of it. PostgreSQL has parts that are dropped whole (docs/decisions/0034).
create view tenant_log_by_row as select * from tenant_log;
