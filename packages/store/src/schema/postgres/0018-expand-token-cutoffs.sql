-- since 0.2.0
-- Populations of tokens that died together: every token of the key that was issued up to a second is dead, for good.
-- Written in the commit that logs the event, as the revocation feed tells it. A key is '' where there is but one
-- (tenant, issuer), and the tenant is '' for the whole deployment.
create table token_cutoffs (
  tenant text collate "C" not null,
  dimension text collate "C" not null,
  key text collate "C" not null,
  at bigint not null,
  up_to bigint not null,
  until bigint not null,
  primary key (tenant, dimension, key)
);
create index token_cutoffs_over on token_cutoffs (until);

insert into token_cutoffs (tenant, dimension, key, at, up_to, until)
  select tenant, 'session', id, ended_at, ended_at + 172800000, ended_at + 172800000
  from sessions where ended_at is not null;
insert into token_cutoffs (tenant, dimension, key, at, up_to, until)
  select tenant, 'client', id, disabled_at, disabled_at - disabled_at % 1000, disabled_at + 172800000
  from clients where disabled_at is not null;
insert into token_cutoffs (tenant, dimension, key, at, up_to, until)
  select tenant, 'subject', id, password_changed_at, password_changed_at - password_changed_at % 1000,
    password_changed_at + 172800000
  from users where password_changed_at > created_at;
insert into token_cutoffs (tenant, dimension, key, at, up_to, until)
  select id, 'tenant', '', disabled_at, disabled_at - disabled_at % 1000, disabled_at + 172800000
  from tenants where disabled_at is not null;
insert into token_cutoffs (tenant, dimension, key, at, up_to, until)
  select '', 'issuer', '', epoch_at, epoch_at - epoch_at % 1000, epoch_at + 172800000
  from deployment where epoch_at > 0;
