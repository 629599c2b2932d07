-- since 0.2.0
-- People whom the receiver of a stream (Shared Signals) named: to hear of them, or not to hear of them any more. Whoever
-- has no row here is told of where they have allowed the client something.
create table stream_subjects (
  tenant text collate "C" not null,
  stream text collate "C" not null,
  subject text collate "C" not null,
  removed bigint not null,
  -- What the receiver calls them, as JSON; null where it was told.
  sub_id text collate "C",
  created_at bigint not null,
  primary key (tenant, stream, subject),
  foreign key (tenant, stream) references event_receivers (tenant, id) on delete cascade
);
