-- Searches in a million file names by index.
-- - For one or two characters, for which pg_trgm has no index: each two characters in a row, and the last
--   one, are words of a text index. The function is declared expensive, so that PostgreSQL never calls it for
--   rows instead of reading the index.
-- - Row-level security lets no condition use an index that could reveal other rows, such as `ilike`. So a
--   function of the owner finds the ids, of the company that the connection sees and no other.

-- An operator may have built both before, as the documentation of 0.1 says.
create or replace function file_name_pairs(name text) returns tsvector
language plpgsql immutable strict parallel safe cost 10000 as $$
declare
  lowered text := lower(name);
  pairs text[] := '{}';
begin
  for place in 1..length(lowered) loop
    pairs := pairs || substr(lowered, place, 2);
  end loop;
  return array_to_tsvector(pairs);
end $$;
-- An index whose building was interrupted is there and not used.
do $$ begin
  if exists (
    select from pg_index where indexrelid = to_regclass('submissions_name_pairs') and not indisvalid
  ) then
    drop index submissions_name_pairs;
  end if;
end $$;
create index if not exists submissions_name_pairs on submissions
using gin (file_name_pairs(file_name));
create function search_submissions(
  company integer, uploader integer, token integer, statuses smallint[], search text, pattern text
) returns setof integer
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  first_pair text := left(lower(search), 2);
  conditions text[] := array['company_id = $1'];
begin
  if nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer <> company then
    return;
  end if;
  if uploader is not null then conditions := conditions || 'user_id = $2'::text; end if;
  if token is not null then conditions := conditions || 'token_id = $3'::text; end if;
  if cardinality(statuses) > 0 then conditions := conditions || 'status = any ($4)'::text; end if;
  if length(search) < 3 then
    conditions := conditions || 'strpos(lower(file_name), lower($5)) > 0'::text
      || 'file_name_pairs(file_name) @@ $7'::text;
  else
    conditions := conditions || 'file_name ilike $6'::text;
  end if;
  return query execute 'select id from submissions where ' || array_to_string(conditions, ' and ')
    using company, uploader, token, statuses, search, pattern,
      ('''' || replace(replace(first_pair, '\', '\\'), '''', '''''') || ''':*')::tsquery;
end $$;
