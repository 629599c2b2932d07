-- since 0.2.0
-- Requests by the back channel (CIBA) wait for a person as devices do, and are redeemed as they are. `backchannel` holds
-- what only they have, and is null for a device. `subject` is the one person who may answer; null where the hint meant
-- nobody. `notification` is sealed: what a client is told when it is decided (ping mode), from `notify_at` on.
alter table device_codes add column backchannel text;
alter table device_codes add column subject text;
alter table device_codes add column notification blob;
alter table device_codes add column notify_at integer;
alter table device_codes add column notify_tries integer not null default 0;
create index device_codes_asked on device_codes (tenant, subject) where subject is not null;
create index device_codes_notify on device_codes (notify_at) where notify_at is not null;
-- What a person has applications name before they are asked (CIBA user code): argon2id in PHC form.
create table backchannel_user_codes (
  tenant text not null,
  subject text not null,
  hash text not null,
  changed_at integer not null,
  primary key (tenant, subject)
);
