-- Mail: what is to be sent, the links that were mailed, and how far the log was read for news.

-- The normalised form of the claim `email`, for whoever knows no more than their address. Nobody's alone: two people
-- may share a mailbox.
alter table users add column email_key text;
create index users_email on users (tenant, email_key) where email_key is not null;
update users set email_key = lower(claims ->> '$.email');

-- Whom to, what it says and the secret in it are sealed under the master key; a row goes when its mail is sent.
create table mails (
  tenant text not null,
  id text not null,
  kind text not null,
  subject text,
  sealed blob not null,
  made_at integer not null,
  -- Also the lease: whoever takes a mail moves it ahead, and if they die it is simply due again.
  due_at integer not null,
  expires_at integer not null,
  attempts integer not null,
  primary key (tenant, id)
) strict;
create index mails_due on mails (due_at);

-- Whoever shows the secret of a link reads that mailbox. A spent link has no row.
create table mailed_links (
  tenant text not null,
  handle text not null,
  purpose text not null check (purpose in ('reset', 'address')),
  subject text not null,
  email text not null,
  made_at integer not null,
  expires_at integer not null,
  primary key (tenant, handle)
) strict, without rowid;
create index mailed_links_subject on mailed_links (tenant, subject);
create index mailed_links_expiry on mailed_links (expires_at);

-- -1: the log was never read for news.
create table mail_cursor (
  one integer primary key check (one = 1),
  pos integer not null
) strict;
insert into mail_cursor (one, pos) values (1, -1);

create index events_personal on events (pos) where subject is not null;
