-- since 0.2.0
-- Codes and refresh tokens as tables that grow at their end, made anew under their own names with all that they had. By a
-- handle, which is a hash, each new row lay on a page of its own, and so did the one that was spent for it: a commit wrote
-- most of those pages for one row each. Those of one time lie together now, and are spent and swept together.
create table codes_in_order (
  tenant text not null,
  handle text not null,
  grant_id text not null,
  redirect_uri text not null,
  redirect_uri_sent integer not null,
  challenge text,
  expires_at integer not null,
  spent_at integer,
  failures integer not null default 0,
  foreign key (tenant, grant_id) references grants (tenant, id)
) strict;
insert into codes_in_order (tenant, handle, grant_id, redirect_uri, redirect_uri_sent, challenge, expires_at, spent_at, failures)
  select tenant, handle, grant_id, redirect_uri, redirect_uri_sent, challenge, expires_at, spent_at, failures
  from codes order by expires_at;
create unique index codes_handle on codes_in_order (tenant, handle);
drop table codes;
alter table codes_in_order rename to codes;
create index codes_grant on codes (tenant, grant_id);
create index codes_expiry on codes (expires_at);

create table refresh_tokens_in_order (
  tenant text not null,
  handle text not null,
  grant_id text not null,
  scope text not null,
  salt blob not null,
  expires_at integer not null,
  spent_at integer,
  successor text,
  spent_for text,
  foreign key (tenant, grant_id) references grants (tenant, id)
) strict;
insert into refresh_tokens_in_order (tenant, handle, grant_id, scope, salt, expires_at, spent_at, successor, spent_for)
  select tenant, handle, grant_id, scope, salt, expires_at, spent_at, successor, spent_for
  from refresh_tokens order by expires_at;
-- Sorted once it is full, instead of row by row.
create unique index refresh_tokens_handle on refresh_tokens_in_order (tenant, handle);
drop table refresh_tokens;
alter table refresh_tokens_in_order rename to refresh_tokens;
create index refresh_tokens_grant on refresh_tokens (tenant, grant_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);
