-- since 0.2.0
-- The audience and scope of what a token or device code was spent for: a retry asks for the same.
alter table refresh_tokens add column spent_for text;
alter table device_codes add column spent_for text;
