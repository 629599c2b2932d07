-- since 0.2.0
-- How much happened: written with the events that are counted, minute by minute. Minutes that are two days old are moved
-- into their day. `minute` and `day` count from 1970, in UTC.
create table statistics_minutes (
  tenant text not null,
  minute integer not null,
  series text not null,
  reason text not null,
  count integer not null,
  primary key (tenant, minute, series, reason)
) strict, without rowid;
create index statistics_minutes_over on statistics_minutes (minute);

create table statistics_days (
  tenant text not null,
  day integer not null,
  series text not null,
  reason text not null,
  count integer not null,
  primary key (tenant, day, series, reason)
) strict, without rowid;
create index statistics_days_over on statistics_days (day);
