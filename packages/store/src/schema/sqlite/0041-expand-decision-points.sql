-- since 0.2.0
-- Whom an API has asked before a token of it is issued: a policy service and a hook, each JSON as it was declared; or null.
alter table resources add column policy_service text;
alter table resources add column issuance_hook text;
