-- additive

-- Since when the uploads of a company are refused and its files wait; null: they are not.
alter table companies add column paused_at timestamptz;
-- What a mark says: that of maintenance mode has the sentence for everybody.
alter table marks add column note text;

-- The programs that have a connection for events, by their advisory locks. It has the rights of the owner,
-- as who these connections work: others do not see when PostgreSQL heard of them last.
create function running_programs()
returns table (holder bigint, name text, is_worker boolean, seen_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select holds.objid::bigint, application_name,
    exists (
      select from pg_locks as works
      where works.pid = holds.pid and works.locktype = 'advisory' and works.classid = 1447383 and works.granted
    ),
    state_change
  from pg_locks as holds join pg_stat_activity using (pid)
  where holds.locktype = 'advisory' and holds.classid = 1447382 and holds.granted
    and holds.database = (select oid from pg_database where datname = current_database())
$$;
