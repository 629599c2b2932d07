-- since 0.2.0
-- What a client was given, in the order in which it is listed. grants_client goes with the next contraction.
create index grants_of_client on grants (tenant, client_id, id);
create index consents_of_client on consents (tenant, client_id, id);
