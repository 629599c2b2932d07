-- Mail: what is to be sent, the links that were mailed, and how far the log was read for news.

-- The normalised form of the claim `email`, for whoever knows no more than their address. Nobody's alone: two people
-- may share a mailbox.
alter table users add column email_key text collate "C";
create index users_email on users (tenant, email_key) where email_key is not null;
update users set email_key = lower(claims::jsonb ->> 'email');

-- Whom to, what it says and the secret in it are sealed under the master key; a row goes when its mail is sent.
create table mails (
  tenant text collate "C" not null,
  id text collate "C" not null,
  kind text collate "C" not null,
  subject text collate "C",
  sealed bytea not null,
  made_at bigint not null,
  -- Also the lease: whoever takes a mail moves it ahead, and if they die it is simply due again.
  due_at bigint not null,
  expires_at bigint not null,
  attempts bigint not null,
  primary key (tenant, id)
);
create index mails_due on mails (due_at);

-- Whoever shows the secret of a link reads that mailbox. A spent link has no row.
create table mailed_links (
  tenant text collate "C" not null,
  handle text collate "C" not null,
  purpose text collate "C" not null check (purpose in ('reset', 'address')),
  subject text collate "C" not null,
  email text collate "C" not null,
  made_at bigint not null,
  expires_at bigint not null,
  primary key (tenant, handle)
);
create index mailed_links_subject on mailed_links (tenant, subject);
create index mailed_links_expiry on mailed_links (expires_at);

-- -1: the log was never read for news.
create table mail_cursor (
  one bigint primary key check (one = 1),
  pos bigint not null
);
insert into mail_cursor (one, pos) values (1, -1);

create index events_personal on events (pos) where subject is not null;
