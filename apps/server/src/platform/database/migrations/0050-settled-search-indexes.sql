-- additive, concurrently

-- The index of the search of submissions of 0049-search-of-settled-rows, and then without those of all rows.
-- That of audit entries, which it built, is built by 0056-index-of-linked-entries.
create index concurrently if not exists submissions_settled_search on submissions using gin (
  search_words(id, array['c' || company_id, 'u' || user_id, 't' || token_id, 's' || status], file_name)
) with (fastupdate = off) where status in (2, 4, 5, 6);
drop index concurrently if exists submissions_search;
