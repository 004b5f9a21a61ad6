-- additive

-- The functions from before 0029 with the rights of the owner search only pg_catalog, too. In a database
-- from before PostgreSQL 15 everybody may create functions in `public`, and one with better matching types
-- would be called instead of PostgreSQL's own.

create or replace function first_waiting_turn() returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp
as 'select min(turn) from public.submissions where status = 0';

create or replace function search_submissions(
  company integer, uploader integer, token integer, statuses smallint[], search text, pattern text
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
  return query execute 'select id from public.submissions where ' || array_to_string(conditions, ' and ')
    using company, uploader, token, statuses, search, pattern,
      ('''' || replace(replace(first_pair, '\', '\\'), '''', '''''') || ''':*')::tsquery;
end $$;
