-- since 0.2.0
-- The session whose sign-out ends the grant; null where it outlives every session.
alter table grants add column ends_with_session text;
-- The sid that a pairwise client knows the session by; null where it is the session's own id.
alter table grants add column known_sid text;
