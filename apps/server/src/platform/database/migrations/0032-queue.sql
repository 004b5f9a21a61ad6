-- additive

-- Workers take submissions from their own table; 0040 has the indexes. `timers` has when each recurring job
-- ran last, and the process that runs it now. Until 0.2 the jobs were in the schema `jobs`, which stays for
-- programs of that version.

create table timers (
  name text primary key,
  ran_at timestamptz not null,
  lease_id uuid,
  lease_until timestamptz
);
insert into timers (name, ran_at)
  select substr(name, length('recurring ') + 1), at from marks where name like 'recurring %';
