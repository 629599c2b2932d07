-- since 0.2.0
-- Whoever is told of events as they happen: webhooks, and streams of Shared Signals.
create table event_receivers (
  tenant text collate "C" not null references tenants (id),
  id text collate "C" not null,
  kind text collate "C" not null check (kind in ('webhook', 'stream')),
  -- What the kind has to say, as JSON: where to, and which events.
  config text collate "C" not null,
  -- Sealed under the master key; null where nothing is kept secret. The one before signs too for a while.
  sealed_secret bytea,
  sealed_previous bytea,
  previous_until bigint,
  status text collate "C" not null check (status in ('enabled', 'paused', 'disabled')),
  status_reason text collate "C",
  declared bigint not null,
  -- What is behind this position in the log was before its time.
  since_pos bigint not null,
  created_at bigint not null,
  version bigint not null,
  -- How often in a row it failed, since when, and until when it is left alone.
  failures bigint not null,
  failing_since bigint,
  rest_until bigint not null,
  -- When something may be due; null where nothing waits for its time.
  next_at bigint,
  primary key (tenant, id)
);
create index event_receivers_next on event_receivers (next_at) where next_at is not null and status = 'enabled';
create index event_receivers_since on event_receivers (since_pos) where status <> 'disabled';

-- One event for one receiver, kept for a while after it arrived or was given up.
create table event_deliveries (
  tenant text collate "C" not null,
  receiver text collate "C" not null,
  id text collate "C" not null,
  pos bigint not null,
  type text collate "C" not null,
  -- Those of one receiver with the same key arrive in the order of the log.
  order_key text collate "C" not null,
  payload text collate "C" not null,
  state text collate "C" not null check (state in ('waiting', 'delivered', 'dead')),
  made_at bigint not null,
  queued_at bigint not null,
  -- Also the lease. Null while an earlier one of the same key is not done, and when it is done itself.
  due_at bigint,
  -- How often it was taken; and how often it had been when it was queued again.
  attempts bigint not null,
  attempts_before bigint not null,
  last_status bigint,
  last_error text collate "C",
  latency bigint,
  settled_at bigint,
  keep_until bigint,
  primary key (tenant, receiver, id)
);
create index event_deliveries_due on event_deliveries (tenant, receiver, due_at, pos) where due_at is not null;
create index event_deliveries_order on event_deliveries (tenant, receiver, order_key, pos) where state = 'waiting';
create index event_deliveries_state on event_deliveries (tenant, receiver, state, id);
create index event_deliveries_keeping on event_deliveries (keep_until) where keep_until is not null;

-- Up to which position the log was read for receivers.
create table event_cursor (
  one bigint primary key check (one = 1),
  pos bigint not null
);
insert into event_cursor (one, pos) values (1, 0);
