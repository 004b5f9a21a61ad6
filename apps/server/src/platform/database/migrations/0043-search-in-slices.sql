-- additive

-- Searches of file names and of the audit trail, for any number of characters. They go from the newest rows
-- to the oldest, in slices of 32,768 ids, and end when the page and the limited count are found: so a
-- frequent text is found in the newest slices, and one that only old rows have by passing over the others,
-- each in less than 0.1 ms. Slices without rows are left out, because after a restore ids may go on far away.
-- 0044-search-indexes has their indexes.

-- The words of a row for a text index: each three characters in a row, the last two and the last one, so
-- that one or two characters are the beginning of a word; and facets, by which a search is narrowed. Each
-- begins with the number of the slice. It is declared expensive, so that PostgreSQL never calls it for rows
-- instead of reading the index.
create function search_words(id bigint, facets text[], searched text) returns tsvector
language plpgsql immutable parallel safe cost 10000 as $$
declare
  slice text := id >> 15;
  -- So that no text is too long for an index.
  lowered text := left(lower(searched), 2000);
  words text[] := '{}';
  facet text;
begin
  foreach facet in array facets loop
    if facet is not null then words := array_append(words, slice || '=' || facet); end if;
  end loop;
  for place in 1..length(lowered) loop
    words := array_append(words, slice || ':' || substr(lowered, place, 3));
  end loop;
  return array_to_tsvector(words);
end $$;

-- The words by which a text is looked for, the rarest of a sample first: so many that together a thousandth
-- of the rows should have them, and six at most. To read one more list then takes longer than to compare the
-- rows that it would leave out.
create function search_parts(searched text, sample text[]) returns text[]
language sql immutable parallel safe as $$
  with parts as (
    select place, substr(lowered, place, 3) as part, (0.5 + (
      select count(*) from unnest(sample) one where strpos(lower(one), substr(lowered, place, 3)) > 0
    )) / (1 + cardinality(sample)) as share
    from left(lower(searched), 2000) lowered,
      generate_series(1, least(greatest(1, length(lowered) - 2), 60)) place
  ),
  ordered as (
    select part, row_number() over by_share as number, sum(ln(share)) over by_share - ln(share) as before
    from parts window by_share as (order by share, place)
  )
  select array_agg(part) from ordered where number <= 6 and before > ln(0.001)
$$;

-- Which rows of a slice may match: of each facet one of its values, which `|` separates, and all of these
-- words. The caller compares the text itself.
create function search_condition(slice bigint, facets text[], parts text[]) returns tsquery
language plpgsql immutable parallel safe as $$
declare
  conditions text[] := '{}';
  one text;
begin
  foreach one in array facets loop
    if one is not null then
      conditions := array_append(conditions,
        '(''' || slice || '=' || replace(one, '|', ''' | ''' || slice || '=') || ''')');
    end if;
  end loop;
  foreach one in array parts loop
    conditions := array_append(conditions,
      '''' || slice || ':' || replace(replace(one, '\', '\\'), '''', '''''')
      || case when length(one) < 3 then ''':*' else '''' end);
  end loop;
  return array_to_string(conditions, ' & ')::tsquery;
end $$;

-- The newest submissions of a company whose file names contain a text, before an id, at most so many: newest
-- first. As the owner, because row-level security lets no condition use an index that could reveal other
-- rows; of the company that the connection sees and no other. All names of a company with few files are
-- read, which is faster than to look for them in each slice.
create function newest_submissions(
  company integer, uploader integer, token integer, statuses smallint[], searched text, before bigint,
  at_most bigint
) returns setof integer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set max_parallel_workers_per_gather = 0 set jit = off as $$
declare
  facets text[] := array['c' || company, 'u' || uploader, 't' || token,
    (select string_agg('s' || status, '|') from unnest(statuses) status)];
  parts text[];
  newest bigint;
  oldest bigint;
  slice bigint;
  added bigint;
begin
  if coalesce(current_setting('veridict.company', true), 'all') not in ('all', company::text) then
    return;
  end if;
  if not exists (select from public.submissions where company_id = company order by id desc offset 20000) then
    return query select id from public.submissions
      where company_id = company and id < before
        and (uploader is null or user_id = uploader) and (token is null or token_id = token)
        and (cardinality(statuses) = 0 or status = any (statuses))
        and strpos(lower(file_name), lower(searched)) > 0
      order by id desc limit at_most;
    return;
  end if;
  newest := (select max(id) from public.submissions where company_id = company and id < before);
  oldest := (select min(id) from public.submissions where company_id = company);
  parts := public.search_parts(searched, array(select file_name from public.submissions
    where id = any (array(select generate_series(oldest, newest, 1 + (newest - oldest) / 100)))));
  slice := newest >> 15;
  while slice >= oldest >> 15 and at_most > 0 loop
    return query
      with found as materialized (
        select id, file_name from public.submissions
        where public.search_words(
          id, array['c' || company_id, 'u' || user_id, 't' || token_id, 's' || status], file_name
        ) @@ public.search_condition(slice, facets, parts)
      )
      select id from found where id < before and strpos(lower(file_name), lower(searched)) > 0
      order by id desc limit at_most;
    get diagnostics added = row_count;
    at_most := at_most - added;
    slice := (select max(id) from public.submissions where company_id = company and id < slice << 15) >> 15;
  end loop;
end $$;

-- The same of the audit trail: `from_at` inclusive, `to_at` exclusive; null: no condition. A clock that was
-- set back leaves entries out of the order of time, by less than a slice.
create function newest_audit_entries(
  searched text, actions text[], actor integer, company integer, from_at timestamptz, to_at timestamptz,
  before bigint, at_most bigint
) returns setof bigint
language plpgsql stable
set plan_cache_mode = force_generic_plan set max_parallel_workers_per_gather = 0 set jit = off as $$
declare
  facets text[] := array[(select string_agg('a' || action, '|') from unnest(actions) action),
    'u' || actor, 'c' || company];
  parts text[];
  newest bigint;
  oldest bigint;
  slice bigint;
  added bigint;
begin
  newest := least(before, (select max(id) from audit_entries),
    (select id from audit_entries where at < to_at order by at desc, id desc limit 1) + 32768);
  oldest := greatest((select min(id) from audit_entries),
    (select id from audit_entries where at >= from_at order by at, id limit 1) - 32768);
  parts := search_parts(searched, array(
    select coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
      || ' ' || coalesce(address, '') from audit_entries
    where id = any (array(select generate_series(oldest, newest, 1 + (newest - oldest) / 100)))));
  slice := newest >> 15;
  while slice >= oldest >> 15 and at_most > 0 loop
    return query
      with found as materialized (
        select id, at, (coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
          || ' ' || coalesce(address, '')) as content
        from audit_entries
        where search_words(id, array['a' || action, 'u' || actor_id, 'c' || company_id],
          (coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
            || ' ' || coalesce(address, ''))
        ) @@ search_condition(slice, facets, parts)
      )
      select id from found
      where id < before and (from_at is null or at >= from_at) and (to_at is null or at < to_at)
        and strpos(lower(content), lower(searched)) > 0
      order by id desc limit at_most;
    get diagnostics added = row_count;
    at_most := at_most - added;
    slice := (select max(id) from audit_entries where id < slice << 15) >> 15;
  end loop;
end $$;
