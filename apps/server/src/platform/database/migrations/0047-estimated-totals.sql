-- additive

-- How many submissions have each status, for operators. Exact up to some hundred thousand, which takes 30 ms;
-- of more an estimate by what PostgreSQL knows from its last look at the table, because counting ten million
-- takes seconds: their number grows with the pages of the table, and a status that less than one of 10,000
-- has may be 0. Nothing, as long as PostgreSQL has not looked. As the owner, because row-level security hides
-- what PostgreSQL knows; only where the connection sees all companies.
create function count_submissions(exact_pages bigint default 20000)
returns table (status smallint, count bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  pages bigint := pg_relation_size('public.submissions') / current_setting('block_size')::bigint;
begin
  if coalesce(current_setting('veridict.company', true), 'all') <> 'all' then
    return;
  end if;
  if pages < exact_pages then
    return query select each::smallint, count(id) from generate_series(0, 6) each
      left join public.submissions on submissions.status = each group by each;
    return;
  end if;
  return query
    select each::smallint, (pages * (reltuples / relpages) * coalesce(share, 0))::bigint
    from pg_class cross join generate_series(0, 6) each
      left join (
        select known.status, share from pg_stats,
          unnest(most_common_vals::text::smallint[], most_common_freqs) known (status, share)
        where schemaname = 'public' and tablename = 'submissions' and attname = 'status'
      ) shares on shares.status = each
    where pg_class.oid = 'public.submissions'::regclass and reltuples > 0 and relpages > 0;
end $$;
