-- since 0.2.0
-- Lists at a million rows: what one person has, in the order in which it is listed, and grants that stand, so that nobody
-- walks over those that were revoked. grants_of_client goes with the next contraction.
create index grants_standing on grants (tenant, id) where revoked_at is null;
create index grants_standing_of_client on grants (tenant, client_id, id) where revoked_at is null;
create index grants_standing_of_subject on grants (tenant, subject, id) where revoked_at is null;
create index consents_of_subject on consents (tenant, subject, id);
create index sessions_standing_of_subject on sessions (tenant, subject, id) where ended_at is null;
create index device_codes_asked_at on device_codes (tenant, asked_at, handle);
