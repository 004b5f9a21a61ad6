-- additive

-- Searches as in 0049-search-of-settled-rows, with less read in each slice. With ten million submissions,
-- half of 40 calls: five random characters of a clerk 59 -> 23 ms, what no audit entry has 26 -> 13 ms, what
-- none of a company has 21 -> 14 ms (docs/RELIABILITY.md).

-- A hundred ids between two, at random distances that are always the same: with those of 0048, which were
-- multiples of a number, what is regular was seen as more or less than it is.
create or replace function spread_ids(oldest bigint, newest bigint) returns bigint[]
language sql immutable parallel safe as $$
  select array_agg(oldest + number * step + abs(hashint8(number)::bigint) % step)
  from generate_series(0, 99) number, (select 1 + (newest - oldest) / 100 as step) steps
$$;

-- The condition of an index by which a text and facets are looked for in a slice, whose number replaces
-- ` '~`. Of the words of the text and the facets, the rarest of a sample comes first; another one is taken if
-- to read its list should take less time than to compare the rows that it leaves out. To compare a row takes
-- as long as 60 rows of a list, or 200 for a facet, which rows have independently of their text. Of what none
-- of the sample has, two words leave next to nothing: the first and the third rather than the second, because
-- neighbours say nearly the same. Frequent words, and facets that half of the rows have, are left out then.
-- In the sample, chr(n) says that a row has the n-th facet, which may have several values, separated by `|`.
-- The caller compares the rows themselves.
create or replace function search_template(searched text, facets text[], sample text[]) returns text
language plpgsql immutable parallel safe as $$
declare
  template text := '';
  taken integer := 0;
  rows integer := cardinality(sample);
  left_over text[] := sample;
  kept text[];
  one record;
begin
  for one in
    with conditions as (
      select distinct on (1) substr(lowered, place, 3) as looked_for, false as is_facet, place % 2 as is_odd,
        '''~:' || replace(replace(substr(lowered, place, 3), '\', '\\'), '''', '''''')
          || case when length(lowered) < 3 then ''':*' else '''' end as condition
      from left(lower(searched), 2000) lowered,
        generate_series(1, least(greatest(1, length(lowered) - 2), 60)) place
      union all
      select chr(number::integer), true, 1, '( ''~=' || replace(facet, '|', ''' | ''~=') || ''')'
      from unnest(facets) with ordinality given (facet, number) where facet is not null
    )
    select condition, looked_for, is_facet, count from conditions, lateral (
      select count(*) from unnest(sample) row where strpos(row, looked_for) > 0
    ) counted
    order by count, is_odd desc, looked_for
  loop
    kept := array(select row from unnest(left_over) row where strpos(row, one.looked_for) > 0);
    if taken = 0 or (case
      when cardinality(left_over) = 0 then
        taken < 2 and one.count * (case when one.is_facet then 2 else 10 end) < rows
      when one.is_facet then 2 * cardinality(left_over) * (rows - one.count) > one.count
      else 60 * (cardinality(left_over) - cardinality(kept)) > one.count
    end) then
      template := template || ' & ' || one.condition;
      taken := taken + 1;
      left_over := kept;
    end if;
  end loop;
  return substr(template, 3);
end $$;

-- Only each sixteenth slice is looked up, to pass over a gap: to look in an empty one takes less time. A
-- search of a person needs no list of the company, which is compared in the rows.
create or replace function newest_submissions(
  company integer, uploader integer, token integer, statuses smallint[], searched text, before bigint,
  at_most bigint
) returns setof integer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set max_parallel_workers_per_gather = 0 set jit = off as $$
declare
  lowered text := lower(searched);
  template text;
  newest bigint;
  oldest bigint;
begin
  if coalesce(current_setting('veridict.company', true), 'all') not in ('all', company::text) then
    return;
  end if;
  if not exists (select from public.submissions where company_id = company order by id desc offset 20000) then
    return query select id from public.submissions
      where company_id = company and id < before
        and (uploader is null or user_id = uploader) and (token is null or token_id = token)
        and (cardinality(statuses) = 0 or status = any (statuses))
        and strpos(lower(file_name), lowered) > 0
      order by id desc limit at_most;
    return;
  end if;
  newest := (select max(id) from public.submissions where company_id = company and id < before);
  oldest := (select min(id) from public.submissions where company_id = company);
  template := public.search_template(
    searched,
    array[case when uploader is null then 'c' || company end, 'u' || uploader, 't' || token,
      (select string_agg('s' || status, '|') from unnest(statuses) status)],
    array(
      select lower(file_name) || case when company_id = company then chr(1) else '' end
        || case when user_id = uploader then chr(2) else '' end
        || case when token_id = token then chr(3) else '' end
        || case when status = any (statuses) then chr(4) else '' end
      from public.submissions where id = any (public.spread_ids(oldest, newest))));
  return query
    with recursive slices as (
      select newest >> 15 as slice where newest >= oldest
      union all
      select case when slice & 15 > 0 then slice - 1 else
        (select max(id) from public.submissions where company_id = company and id < slice << 15) >> 15 end
      from slices where slice > oldest >> 15
    )
    select found.id from slices cross join lateral (
      select candidates.id from (
        select id, company_id, user_id, token_id, status, file_name from public.submissions
        where status in (2, 4, 5, 6) and public.search_words(
          id, array['c' || company_id, 'u' || user_id, 't' || token_id, 's' || status], file_name
        ) @@ replace(template, ' ''~', ' ''' || slice)::tsquery
        union all
        select id, company_id, user_id, token_id, status, file_name from public.submissions
        where company_id = company and status in (0, 1, 3) and id between slice << 15 and slice << 15 | 32767
        offset 0
      ) candidates
      where candidates.id < before and company_id = company
        and (uploader is null or user_id = uploader) and (token is null or token_id = token)
        and (cardinality(statuses) = 0 or status = any (statuses))
        and (strpos(file_name, lowered) > 0 or strpos(lower(file_name), lowered) > 0)
      order by candidates.id desc
    ) found
    limit at_most;
end $$;

create or replace function newest_audit_entries(
  searched text, actions text[], actor integer, company integer, from_at timestamptz, to_at timestamptz,
  before bigint, at_most bigint
) returns setof bigint
language plpgsql stable
set plan_cache_mode = force_generic_plan set max_parallel_workers_per_gather = 0 set jit = off as $$
declare
  lowered text := lower(searched);
  template text;
  newest bigint;
  oldest bigint;
begin
  newest := least(before, (select max(id) from audit_entries),
    (select id from audit_entries where at < to_at order by at desc, id desc limit 1) + 32768);
  oldest := greatest((select min(id) from audit_entries),
    (select id from audit_entries where at >= from_at order by at, id limit 1) - 32768);
  template := search_template(
    searched,
    array[(select string_agg('a' || action, '|') from unnest(actions) action), 'u' || actor, 'c' || company],
    array(
      select lower(coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
        || ' ' || coalesce(address, '')) || case when action = any (actions) then chr(1) else '' end
        || case when actor_id = actor then chr(2) else '' end
        || case when company_id = company then chr(3) else '' end
      from audit_entries where id = any (spread_ids(oldest, newest))));
  return query
    with recursive slices as (
      select newest >> 15 as slice where newest >= oldest
      union all
      select case when slice & 15 > 0 then slice - 1 else
        (select max(id) from audit_entries where id < slice << 15) >> 15 end
      from slices where slice > oldest >> 15
    )
    select found.id from slices cross join lateral (
      select candidates.id from (
        select id, at, action, actor_id, company_id, coalesce(actor_email, '') || ' ' || subject || ' '
          || coalesce(company_name, '') || ' ' || coalesce(address, '') as content
        from audit_entries
        where place is not null and search_words(id, array['a' || action, 'u' || actor_id, 'c' || company_id],
          (coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
            || ' ' || coalesce(address, ''))
        ) @@ replace(template, ' ''~', ' ''' || slice)::tsquery
        union all
        select id, at, action, actor_id, company_id, coalesce(actor_email, '') || ' ' || subject || ' '
          || coalesce(company_name, '') || ' ' || coalesce(address, '')
        from audit_entries
        where place is null and id between slice << 15 and slice << 15 | 32767
        offset 0
      ) candidates
      where candidates.id < before and (from_at is null or at >= from_at) and (to_at is null or at < to_at)
        and (cardinality(actions) = 0 or action = any (actions))
        and (actor is null or actor_id = actor) and (company is null or company_id = company)
        and (strpos(content, lowered) > 0 or strpos(lower(content), lowered) > 0)
      order by candidates.id desc
    ) found
    limit at_most;
end $$;

-- `create or replace` resets it, see 0048-shorter-searches.
do $$ begin
  alter function newest_submissions set effective_io_concurrency = 200;
  alter function newest_audit_entries set effective_io_concurrency = 200;
exception when invalid_parameter_value then
  null;
end $$;
