-- since 0.2.0
-- Whether somebody gave the client that registered itself an initial access token; null and 0: nobody did.
alter table clients add column vouched integer;
