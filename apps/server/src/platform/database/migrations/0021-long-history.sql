-- Indexes for histories of a million files: by status, by the time of the last move, and by any three
-- characters of the file name. The last needs pg_trgm, which is part of PostgreSQL; where the account may not
-- add it, searches read all names of the company, as before.

-- An operator may have built them before, as the documentation of 0.1 says.
-- An index whose building was interrupted is there and not used.
do $$
declare
  name text;
begin
  foreach name in array array[
    'submissions_company_status', 'submissions_company_moved', 'submissions_file_name'
  ] loop
    if exists (select from pg_index where indexrelid = to_regclass(name) and not indisvalid) then
      execute 'drop index ' || name;
    end if;
  end loop;
end $$;
create index if not exists submissions_company_status on submissions (company_id, status, id desc);
create index if not exists submissions_company_moved on submissions (company_id, updated_at);
do $$
begin
  create extension if not exists pg_trgm;
  create index if not exists submissions_file_name on submissions using gin (file_name gin_trgm_ops);
exception when insufficient_privilege or undefined_file or feature_not_supported
  -- It is in a schema that is not searched.
  or undefined_object then
  raise notice 'pg_trgm cannot be added; searches are slower';
end
$$;
