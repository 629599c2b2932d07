-- Whose recent activity an event belongs to: filled for the few that are about a person, and only those are indexed.
alter table events add column subject text;
create index events_subject on events (tenant, subject, seq) where subject is not null;

update events set subject = body ->> '$.subject'
  where body ->> '$.name' in ('session.started', 'session.ended', 'login.failed', 'consent.granted', 'consent.withdrawn', 'grant.revoked',
    'token.replayed', 'admin.user_changed');
