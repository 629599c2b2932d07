-- since 0.2.0
-- Providers that are asked for security events (RFC 8936): when next, by which turn, and how the last time went.
create table signal_polls (
  tenant text not null,
  provider text not null,
  next_at integer not null,
  turn integer not null,
  asked_at integer,
  received_at integer,
  failures integer not null,
  failing_since integer,
  error text,
  primary key (tenant, provider)
) strict, without rowid;
create index signal_polls_due on signal_polls (next_at);
