-- additive

-- Searches as in 0043-search-in-slices, which go from the newest rows to the oldest in slices and use its
-- indexes, but read less of them. The company, the person and the statuses are words like those of the text:
-- what most rows have is compared in the rows that the others leave, because to read its long list in each
-- slice took longer. A rare text takes as many words as leave next to no other rows, because each is a page
-- that may not be in memory.

-- A hundred ids between two, at unequal distances, because what is regular would be seen as all there is.
create function spread_ids(oldest bigint, newest bigint) returns bigint[]
language sql immutable parallel safe as $$
  select array_agg(oldest + number * step + number * 7919 % step)
  from generate_series(0, 99) number, (select 1 + (newest - oldest) / 100 as step) steps
$$;

-- The condition of an index by which a text and facets are looked for in a slice, whose number replaces ` '~`.
-- Of the words of the text, those that the fewest of a sample have, and that leave fewer than the words
-- before; of a text that none of the sample has, three, so that next to nothing is left to compare. Facets
-- that half of the rows have are left out then. In the sample, chr(n) says that a row has the n-th facet,
-- which may have several values, separated by `|`. The caller compares the rows themselves.
create function search_template(searched text, facets text[], sample text[]) returns text
language plpgsql immutable parallel safe as $$
declare
  template text := '';
  taken integer := 0;
  left_over text[] := sample;
  kept text[];
  word text;
begin
  for word in
    with words as (
      select distinct substr(lowered, place, 3) as word from left(lower(searched), 2000) lowered,
        generate_series(1, least(greatest(1, length(lowered) - 2), 60)) place
    )
    select words.word from words
    order by (select count(*) from unnest(sample) one where strpos(one, words.word) > 0)
  loop
    kept := array(select one from unnest(left_over) one where strpos(one, word) > 0);
    if taken = 0 or cardinality(kept) < cardinality(left_over) or cardinality(kept) = 0 and taken < 3 then
      template := template || ' & ''~:' || replace(replace(word, '\', '\\'), '''', '''''')
        || case when length(word) < 3 then ''':*' else '''' end;
      taken := taken + 1;
      left_over := kept;
    end if;
    exit when taken = 6;
  end loop;
  for number in 1..cardinality(facets) loop
    if facets[number] is not null and (cardinality(left_over) > 0 or cardinality(sample) >=
      2 * (select count(*) from unnest(sample) one where strpos(one, chr(number)) > 0)) then
      template := template || ' & ( ''~=' || replace(facets[number], '|', ''' | ''~=') || ''')';
    end if;
  end loop;
  return substr(template, 3);
end $$;

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
        and strpos(lower(file_name), lowered) > 0
      order by id desc limit at_most;
    return;
  end if;
  newest := (select max(id) from public.submissions where company_id = company and id < before);
  oldest := (select min(id) from public.submissions where company_id = company);
  template := public.search_template(
    searched,
    array['c' || company, 'u' || uploader, 't' || token,
      (select string_agg('s' || status, '|') from unnest(statuses) status)],
    array(
      select lower(file_name) || case when company_id = company then chr(1) else '' end
        || case when user_id = uploader then chr(2) else '' end
        || case when token_id = token then chr(3) else '' end
        || case when status = any (statuses) then chr(4) else '' end
      from public.submissions where id = any (public.spread_ids(oldest, newest))));
  slice := newest >> 15;
  while slice >= oldest >> 15 and at_most > 0 loop
    return query
      with found as materialized (
        select id, company_id, user_id, token_id, status, file_name from public.submissions
        where public.search_words(
          id, array['c' || company_id, 'u' || user_id, 't' || token_id, 's' || status], file_name
        ) @@ replace(template, ' ''~', ' ''' || slice)::tsquery
      )
      select id from found
      where id < before and company_id = company
        and (uploader is null or user_id = uploader) and (token is null or token_id = token)
        and (cardinality(statuses) = 0 or status = any (statuses))
        and strpos(lower(file_name), lowered) > 0
      order by id desc limit at_most;
    get diagnostics added = row_count;
    at_most := at_most - added;
    slice := (select max(id) from public.submissions where company_id = company and id < slice << 15) >> 15;
  end loop;
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
  slice bigint;
  added bigint;
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
  slice := newest >> 15;
  while slice >= oldest >> 15 and at_most > 0 loop
    return query
      with found as materialized (
        select id, at, action, actor_id, company_id,
          (coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
            || ' ' || coalesce(address, '')) as content
        from audit_entries
        where search_words(id, array['a' || action, 'u' || actor_id, 'c' || company_id],
          (coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
            || ' ' || coalesce(address, ''))
        ) @@ replace(template, ' ''~', ' ''' || slice)::tsquery
      )
      select id from found
      where id < before and (from_at is null or at >= from_at) and (to_at is null or at < to_at)
        and (cardinality(actions) = 0 or action = any (actions))
        and (actor is null or actor_id = actor) and (company is null or company_id = company)
        and strpos(lower(content), lowered) > 0
      order by id desc limit at_most;
    get diagnostics added = row_count;
    at_most := at_most - added;
    slice := (select max(id) from audit_entries where id < slice << 15) >> 15;
  end loop;
end $$;

-- Pages of a slice that are not in memory are asked for before they are needed, where the system can do that.
do $$ begin
  alter function newest_submissions set effective_io_concurrency = 200;
  alter function newest_audit_entries set effective_io_concurrency = 200;
exception when invalid_parameter_value then
  null;
end $$;
