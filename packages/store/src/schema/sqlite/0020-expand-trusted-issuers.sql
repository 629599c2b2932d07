-- since 0.2.0
-- Issuers whose tokens a tenant believes, as they were declared: a JSON list, or null.
alter table tenants add column trusted_issuers text;
