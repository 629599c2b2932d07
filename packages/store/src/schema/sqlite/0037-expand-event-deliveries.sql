-- since 0.2.0
-- Whoever is told of events as they happen: webhooks, and streams of Shared Signals.
create table event_receivers (
  tenant text not null references tenants (id),
  id text not null,
  kind text not null check (kind in ('webhook', 'stream')),
  -- What the kind has to say, as JSON: where to, and which events.
  config text not null,
  -- Sealed under the master key; null where nothing is kept secret. The one before signs too for a while.
  sealed_secret blob,
  sealed_previous blob,
  previous_until integer,
  status text not null check (status in ('enabled', 'paused', 'disabled')),
  status_reason text,
  declared integer not null,
  -- What is behind this position in the log was before its time.
  since_pos integer not null,
  created_at integer not null,
  version integer not null,
  -- How often in a row it failed, since when, and until when it is left alone.
  failures integer not null,
  failing_since integer,
  rest_until integer not null,
  -- When something may be due; null where nothing waits for its time.
  next_at integer,
  primary key (tenant, id)
) strict, without rowid;
create index event_receivers_next on event_receivers (next_at) where next_at is not null and status = 'enabled';
create index event_receivers_since on event_receivers (since_pos) where status <> 'disabled';

-- One event for one receiver, kept for a while after it arrived or was given up.
create table event_deliveries (
  tenant text not null,
  receiver text not null,
  id text not null,
  pos integer not null,
  type text not null,
  -- Those of one receiver with the same key arrive in the order of the log.
  order_key text not null,
  payload text not null,
  state text not null check (state in ('waiting', 'delivered', 'dead')),
  made_at integer not null,
  queued_at integer not null,
  -- Also the lease. Null while an earlier one of the same key is not done, and when it is done itself.
  due_at integer,
  -- How often it was taken; and how often it had been when it was queued again.
  attempts integer not null,
  attempts_before integer not null,
  last_status integer,
  last_error text,
  latency integer,
  settled_at integer,
  keep_until integer,
  primary key (tenant, receiver, id)
) strict, without rowid;
create index event_deliveries_due on event_deliveries (tenant, receiver, due_at, pos) where due_at is not null;
create index event_deliveries_order on event_deliveries (tenant, receiver, order_key, pos) where state = 'waiting';
create index event_deliveries_state on event_deliveries (tenant, receiver, state, id);
create index event_deliveries_keeping on event_deliveries (keep_until) where keep_until is not null;

-- Up to which position the log was read for receivers.
create table event_cursor (
  one integer primary key check (one = 1),
  pos integer not null
) strict;
insert into event_cursor (one, pos) values (1, 0);
