-- additive

-- Searches as in 0051-rarest-first, which compare rows faster: those of the audit trail in 0.5 to 1.0 instead
-- of 1.5 microseconds. Of ten thousand that are found and counted, that is a fifth of the time.

-- Whether a text has another one, which is lower case, in any case. lower() took most of the time of a row;
-- for ASCII alone it takes a third, and gives the same of a text that has nothing else, but in languages
-- like Turkish, where the lower case of I is not i.
create function has_text(content text, lowered text) returns boolean
language sql immutable parallel safe as $$
  select strpos(content, lowered) > 0
    or lower('I') = 'i' and strpos(lower(content collate "C"), lowered) > 0
    or (lower('I') <> 'i' or octet_length(content) > length(content)) and strpos(lower(content), lowered) > 0
$$;

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
        and public.has_text(file_name, lowered)
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
        and public.has_text(file_name, lowered)
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
        and has_text(content, lowered)
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
