-- since 0.2.0
-- What the access tokens of an API say besides: a JSON list as it was declared; or null.
alter table resources add column claim_mappings text;
-- The clients that have declared claims, which discovery names.
create index clients_claim_mappings on clients (tenant, id) where metadata like '%"claim_mappings"%';
