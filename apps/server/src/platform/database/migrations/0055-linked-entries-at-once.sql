-- additive

-- The entries that are linked together write each of their words once into the index of searches, not each
-- entry all of its words: with a small file 120 kB of WAL became 28. They wait in the index's pending list,
-- which is empty again at the end: with 64 kB in it a search took 20 ms longer, because it reads the list in
-- each slice. The index is built later, by 0056-index-of-linked-entries.

create or replace function audit_link_next(at_most integer) returns setof public.audit_entries
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
  perform gin_clean_pending_list(indexrelid) from pg_index
  where indexrelid = to_regclass('public.audit_entries_linked_words') and indisvalid;
end $$;
