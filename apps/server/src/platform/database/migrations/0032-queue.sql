-- additive

-- Workers take submissions from their own table: these indexes have those that wait, in their turns. `timers`
-- has when each recurring job ran last, and the process that runs it now. Until 0.2 the jobs were in the
-- schema `jobs`, which stays for programs of that version.

create index submissions_to_validate on submissions (turn, id)
  where status in (0, 1) and lease_id is null;
create index submissions_to_ingest on submissions (turn, id)
  where status = 3 and lease_id is null;
create table timers (
  name text primary key,
  ran_at timestamptz not null,
  lease_id uuid,
  lease_until timestamptz
);
insert into timers (name, ran_at)
  select substr(name, length('recurring ') + 1), at from marks where name like 'recurring %';
