-- additive, concurrently

-- The index of the search of audit entries of 0049-search-of-settled-rows, with a pending list, which
-- 0055-linked-entries-at-once empties; and then without those before.
create index concurrently if not exists audit_entries_linked_words on audit_entries using gin (
  search_words(id, array['a' || action, 'u' || actor_id, 'c' || company_id],
    (coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
      || ' ' || coalesce(address, '')))
) where place is not null;
drop index concurrently if exists audit_entries_linked_search;
drop index concurrently if exists audit_entries_in_slices;
