-- since 0.2.0
-- How much happened: written with the events that are counted, minute by minute. Minutes that are two days old are moved
-- into their day. `minute` and `day` count from 1970, in UTC.
create table statistics_minutes (
  tenant text collate "C" not null,
  minute bigint not null,
  series text collate "C" not null,
  reason text collate "C" not null,
  count bigint not null,
  primary key (tenant, minute, series, reason)
) with (fillfactor = 50);
create index statistics_minutes_over on statistics_minutes (minute);

create table statistics_days (
  tenant text collate "C" not null,
  day bigint not null,
  series text collate "C" not null,
  reason text collate "C" not null,
  count bigint not null,
  primary key (tenant, day, series, reason)
);
create index statistics_days_over on statistics_days (day);
