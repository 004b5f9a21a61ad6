-- additive, concurrently

-- The indexes of the searches of 0043-search-in-slices. Without a list of pending words, which each slice
-- would read: the words of new rows are together in the index, so adding them is fast. Ten million names
-- take some ten minutes, twenty million entries of the audit trail half an hour, while everybody works.
create index concurrently if not exists submissions_search on submissions using gin (
  search_words(id, array['c' || company_id, 'u' || user_id, 't' || token_id, 's' || status], file_name)
) with (fastupdate = off);
create index concurrently if not exists audit_entries_in_slices on audit_entries using gin (
  search_words(id, array['a' || action, 'u' || actor_id, 'c' || company_id],
    (coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
      || ' ' || coalesce(address, '')))
) with (fastupdate = off);
