-- works since 0.2.0

-- What searches of 0.1 read: 0044-search-indexes replaces it. Each took the time of a write, and a fifth of
-- the space of their tables.
drop index if exists submissions_file_name;
drop index if exists submissions_name_pairs;
drop index if exists audit_entries_search;
