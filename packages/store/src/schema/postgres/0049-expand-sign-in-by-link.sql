-- since 0.2.0
-- Whether people of a tenant may sign in by a mailed link: 1, or null. Beside `accounts`, whose members 0.2.0 knows all or
-- reads nothing of.
alter table tenants add column sign_in_links bigint;
