-- additive, concurrently

-- Indexes of tables that may be long or that every login writes: of the submissions that wait, in their turns
-- (0032-queue), and of the sessions that an identity provider ends (0030).

create index concurrently if not exists submissions_to_validate on submissions (turn, id)
  where status in (0, 1) and lease_id is null;
create index concurrently if not exists submissions_to_ingest on submissions (turn, id)
  where status = 3 and lease_id is null;
create index concurrently if not exists sessions_of_subject on sessions (subject)
  where subject is not null;
create index concurrently if not exists sessions_of_provider on sessions (provider_session_id)
  where provider_session_id is not null;
