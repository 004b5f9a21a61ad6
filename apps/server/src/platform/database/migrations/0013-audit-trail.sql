-- Who did what, when and from where. Entries name people and companies as they were, without foreign keys:
-- nothing that is deleted elsewhere may change them. An entry is linked to the one before it by its hash,
-- within about a second of its commit; `audit_chain` has the ends of the linked part. Triggers refuse every
-- other change, also of the owner; the role of the portal has no right to any (portal-role.ts). See
-- docs/ARCHITECTURE.md#audit-trail.

-- Milliseconds, as the hash has them. place and hash are null until the entry is linked.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default clock_timestamp(),
  action text not null,
  actor_id integer,
  actor_email text,
  company_id integer,
  company_name text,
  subject text not null,
  address text,
  detail jsonb not null default '{}',
  place bigint unique,
  hash text,
  check ((place is null) = (hash is null))
);
create index audit_entries_newest on audit_entries (at desc, id desc);
create index audit_entries_action on audit_entries (action, at desc, id desc);
create index audit_entries_actor on audit_entries (actor_id, at desc, id desc);
create index audit_entries_company on audit_entries (company_id, at desc, id desc);
-- For searches. pg_trgm comes with PostgreSQL, but some operators may not create extensions: then searches
-- read all entries. The expression is that of audit/audit-entries.ts.
do $$ begin
  create extension if not exists pg_trgm;
  create index audit_entries_search on audit_entries using gin ((
    coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
      || ' ' || coalesce(address, '')
  ) gin_trgm_ops);
exception
  when insufficient_privilege or undefined_file or feature_not_supported then null;
  -- It is in a schema that is not searched.
  when undefined_object then null;
end $$;
create index audit_entries_unlinked on audit_entries (id) where place is null;

-- removed_*: the last entry that was removed after its retention; the first one kept is linked to it.
create table audit_chain (
  single boolean primary key default true check (single),
  removed_place bigint not null default 0,
  removed_hash text not null default '',
  last_place bigint not null default 0,
  last_hash text not null default ''
);
insert into audit_chain default values;

-- Links entries in the order given. false if another process linked meanwhile.
create function audit_link(after_place bigint, ids bigint[], hashes text[]) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare linked bigint;
begin
  perform from audit_chain where last_place = after_place for update;
  if not found then return false; end if;
  update audit_entries entry set place = after_place + new.number, hash = new.hash
  from unnest(ids, hashes) with ordinality as new (id, hash, number)
  where entry.id = new.id and entry.place is null;
  get diagnostics linked = row_count;
  if linked <> cardinality(ids) then raise exception 'audit_link: an entry is linked already'; end if;
  update audit_chain set last_place = after_place + linked, last_hash = hashes[linked];
  return true;
end $$;

-- Removes the oldest entries, up to the first that is not older than `days`.
create function audit_remove_oldest(days integer, at_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare chain audit_chain; last record; removed integer;
begin
  if days < 30 then raise exception 'audit_remove_oldest: entries are kept for 30 days at least'; end if;
  select * into chain from audit_chain for update;
  with oldest as (
    select place, hash, at >= now() - make_interval(days => days) as is_kept from audit_entries
    where place > chain.removed_place order by place limit at_most
  )
  select place, hash into last from oldest
  where place < coalesce((select min(place) from oldest where is_kept), place + 1)
  order by place desc limit 1;
  if not found then return 0; end if;
  update audit_chain set removed_place = last.place, removed_hash = last.hash;
  delete from audit_entries where place <= last.place;
  get diagnostics removed = row_count;
  return removed;
end $$;

create function audit_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.place is null and new.place is not null
    and (to_jsonb(new) - '{place,hash}'::text[]) = (to_jsonb(old) - '{place,hash}'::text[])
  then return new; end if;
  if tg_op = 'DELETE' and old.at < now() - interval '30 days'
    and old.place <= (select removed_place from audit_chain)
  then return old; end if;
  raise exception 'The audit trail cannot be changed.';
end $$;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function audit_refuse_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function audit_refuse_change();
