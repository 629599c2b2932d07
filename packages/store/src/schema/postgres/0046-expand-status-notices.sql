-- since 0.2.0
-- Receivers that are paused or disabled are told of that much, so that what is due is looked for among them, too.
create index event_receivers_due on event_receivers (next_at) where next_at is not null;
