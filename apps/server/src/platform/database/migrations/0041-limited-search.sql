-- additive

-- As search_submissions (0024-history-search), which stays for 0.1, but of matches that are many reads only
-- `at_most`, which need not be the newest. Materialized: for a limit alone PostgreSQL might read all rows in
-- the order of another index.
create function find_submissions(
  company integer, uploader integer, token integer, statuses smallint[], search text, pattern text,
  at_most bigint
) returns setof integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
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
      || 'public.file_name_pairs(file_name) @@ $7'::text;
  else
    conditions := conditions || 'file_name ilike $6'::text;
  end if;
  return query execute 'with found as materialized (select id from public.submissions where '
      || array_to_string(conditions, ' and ') || ') select id from found limit $8'
    using company, uploader, token, statuses, search, pattern,
      ('''' || replace(replace(first_pair, '\', '\\'), '''', '''''') || ''':*')::tsquery, at_most;
end $$;
