-- additive

-- What the portal proves holds against its own role in the database. The database calculates the hashes of
-- the audit trail and chooses what is linked next; what is deleted after which days is decided by what only
-- the owner can write. Submissions keep who uploaded them, as they were then, and their receipt.
--
-- Functions with the rights of the owner search only pg_catalog: in a database from before PostgreSQL 15
-- everybody may create functions in `public`. See docs/ARCHITECTURE.md#audit-trail.

-- retention_days: null until the first start of a version with this migration; nothing is deleted then.
-- removed_from: when the first deleted entry was made; null also where versions before deleted entries.
alter table audit_chain
  add column retention_days integer check (retention_days >= 30),
  add column removed_from timestamptz(3),
  add column removed_to timestamptz(3);

-- Exactly the hash of audit/audit-chain.ts.
create function audit_hash(previous text, entry public.audit_entries) returns text
language sql stable set search_path = pg_catalog, pg_temp
as $$ select encode(sha256(convert_to('[' || concat_ws(',',
  coalesce(to_json(previous)::text, 'null'),
  coalesce(to_json(entry.id)::text, 'null'),
  coalesce(to_json(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, 'null'),
  coalesce(to_json(entry.action)::text, 'null'),
  coalesce(to_json(entry.actor_id)::text, 'null'),
  coalesce(to_json(entry.actor_email)::text, 'null'),
  coalesce(to_json(entry.company_id)::text, 'null'),
  coalesce(to_json(entry.company_name)::text, 'null'),
  coalesce(to_json(entry.subject)::text, 'null'),
  coalesce(to_json(entry.address)::text, 'null'),
  coalesce(to_json(entry.detail::text)::text, 'null')
) || ']', 'UTF8')), 'hex') $$;

-- Links the oldest entries that are not linked, each to the one before it, and returns them.
create function audit_link_next(at_most integer) returns setof public.audit_entries
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare chain public.audit_chain; entry public.audit_entries;
begin
  if not exists (select from public.audit_entries where place is null) then return; end if;
  select * into chain from public.audit_chain for update;
  for entry in select * from public.audit_entries where place is null order by id limit at_most loop
    entry.place := chain.last_place + 1;
    entry.hash := public.audit_hash(chain.last_hash, entry);
    update public.audit_entries set place = entry.place, hash = entry.hash where id = entry.id;
    chain.last_place := entry.place;
    chain.last_hash := entry.hash;
    return next entry;
  end loop;
  update public.audit_chain set last_place = chain.last_place, last_hash = chain.last_hash;
end $$;

-- Deletes the oldest entries, up to the first that is young enough to be kept, and adds an entry about it.
-- The database's own clock decides.
create function audit_expire(at_most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare chain public.audit_chain; removed record;
begin
  select * into chain from public.audit_chain for update;
  select count(*)::integer as entries, max(place) as place, min(at) as first, max(at) as last into removed
  from (
    select place, at, bool_and(at < now() - make_interval(days => chain.retention_days))
      over (order by place) as is_old
    from (
      select place, at from public.audit_entries
      where place > chain.removed_place order by place limit at_most
    ) as oldest
  ) as oldest where is_old;
  if removed.entries = 0 then return 0; end if;
  update public.audit_chain set
    removed_place = removed.place,
    removed_hash = (select hash from public.audit_entries where place = removed.place),
    removed_from = case when chain.removed_place = 0 then removed.first else chain.removed_from end,
    removed_to = removed.last;
  delete from public.audit_entries where place <= removed.place;
  insert into public.audit_entries (action, subject, detail) values ('audit.expired', 'Audit trail',
    jsonb_build_object('after', jsonb_build_object('entries', removed.entries,
      'from', to_char(removed.first at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'to', to_char(removed.last at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))));
  return removed.entries;
end $$;

-- What the version before calls. It calculated the hashes itself and now gets the same ones, or tries again
-- if these are not the oldest entries any more; its days do not count.
create or replace function audit_link(after_place bigint, ids bigint[], hashes text[]) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from public.audit_chain where last_place = after_place for update;
  if not found or ids is distinct from (
    select array_agg(id order by id) from (
      select id from public.audit_entries where place is null order by id limit cardinality(ids)
    ) as oldest
  ) then return false; end if;
  perform public.audit_link_next(cardinality(ids));
  return true;
end $$;
create or replace function audit_remove_oldest(days integer, at_most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$ begin return public.audit_expire(at_most); end $$;

create or replace function audit_refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.place is null and new.place is not null
    and (to_jsonb(new) - '{place,hash}'::text[]) = (to_jsonb(old) - '{place,hash}'::text[])
  then return new; end if;
  if tg_op = 'DELETE' and old.at < now() - interval '30 days'
    and old.place <= (select removed_place from public.audit_chain)
  then return old; end if;
  raise exception 'The audit trail cannot be changed.';
end $$;

-- null in rows of versions before. uploaded_by_email: null for tokens. receipt: the signed text, as it is
-- sent; null until the file is accepted.
alter table submissions
  add column uploaded_by_name text,
  add column uploaded_by_email text,
  add column receipt text;
