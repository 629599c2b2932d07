-- since 0.2.0
-- Providers that are asked for security events (RFC 8936): when next, by which turn, and how the last time went.
create table signal_polls (
  tenant text collate "C" not null,
  provider text collate "C" not null,
  next_at bigint not null,
  turn bigint not null,
  asked_at bigint,
  received_at bigint,
  failures bigint not null,
  failing_since bigint,
  error text collate "C",
  primary key (tenant, provider)
);
create index signal_polls_due on signal_polls (next_at);
