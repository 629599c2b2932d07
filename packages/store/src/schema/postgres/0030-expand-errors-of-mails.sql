-- since 0.2.0
-- Why the last try failed; null before the first, and while one is under way.
alter table mails add column last_error text collate "C";
