-- additive, concurrently

-- The indexes of the searches of 0049-search-of-settled-rows, and then without those of all rows, which
-- nothing reads any more.
create index concurrently if not exists submissions_settled_search on submissions using gin (
  search_words(id, array['c' || company_id, 'u' || user_id, 't' || token_id, 's' || status], file_name)
) with (fastupdate = off) where status in (2, 4, 5, 6);
create index concurrently if not exists audit_entries_linked_search on audit_entries using gin (
  search_words(id, array['a' || action, 'u' || actor_id, 'c' || company_id],
    (coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
      || ' ' || coalesce(address, '')))
) with (fastupdate = off) where place is not null;
drop index concurrently if exists submissions_search;
drop index concurrently if exists audit_entries_in_slices;
