-- since 0.2.0
-- Devices that wait at a client, in the order in which they are listed. Lists by role and by member need nothing here:
-- an index of a table without rowid ends with its primary key.
create index device_codes_of_client on device_codes (tenant, client_id, asked_at, handle);
-- Whoever signs up is in the same table, and nobody knows how many do.
create index invitations_made on invitations (tenant, id) where kind = 'invitation';
