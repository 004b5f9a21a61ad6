-- additive

-- Searches as in 0052-compare-in-ascii, which read fewer rows of other texts. Of a text that few have, a
-- sample of a hundred rows does not say what its words leave together: `12@` and `2@m` of an e-mail left ten
-- times as many rows as have it. So the rows of other texts that the words leave in four slices are a second
-- sample, and further words are taken by what they leave of it. That is not worth its time up to 16 slices,
-- or for a text that several of the first sample have, of which enough is found soon.

-- The condition with further words of the text, as long as they save time. Costs are in rows compared in
-- four slices: those of the second sample that are left, 20 to find one more list, and 3 for each hundredth
-- of the rows that is in it, by the first sample.
create function narrow_search(template text, searched text, sample text[], left_over text[]) returns text
language plpgsql immutable parallel safe as $$
declare
  narrowed text := template;
  best record;
begin
  while cardinality(left_over) > 20 loop
    select word, kept, cardinality(kept) + 20 + 3 * count as cost into best
    from (
      select distinct substr(lowered, place, 3) as word from left(lower(searched), 2000) lowered,
        generate_series(1, least(length(lowered) - 2, 60)) place
    ) words, lateral (
      select count(*) from unnest(sample) row where strpos(row, word) > 0
    ) counted, lateral (
      select array(select row from unnest(left_over) row where strpos(row, word) > 0) as kept
    ) of_left_over
    order by cost, word limit 1;
    exit when best.cost is null or best.cost >= cardinality(left_over);
    narrowed := narrowed || ' & ''~:' || replace(replace(best.word, '\', '\\'), '''', '''''') || '''';
    left_over := best.kept;
  end loop;
  return narrowed;
end $$;

-- Changes the functions where they are, because the rest of their 60 lines stays.
do $change$
declare
  made record;
begin
  for made in
    select regexp_replace(
        pg_get_functiondef(name),
        '  template := (.*?)search_template\((.*?)(array\(\s+select .*?spread_ids\(oldest, newest\)\)\))\);',
        E'  sample := \\3;\n  template := \\1search_template(\\2sample);\n' || $body$
  if newest - oldest > 16 << 15 and length(lowered) > 3
    and (select count(*) from unnest(sample) row where strpos(row, lowered) > 0) < 2 then
    template := $body$ || '\1' || $body$narrow_search(template, searched, sample, array(
      select lower(content)
      from (select oldest + (newest - oldest) * eighth / 8 >> 15 as slice
        from generate_series(1, 7, 2) eighth) slices,
        lateral ($body$ || candidates || $body$ limit 100) found
      where not $body$ || '\1' || $body$has_text(content, lowered)));
  end if;$body$
      ) as definition
    from (values
      ('newest_submissions'::regproc, $query$
          select file_name as content from public.submissions
          where status in (2, 4, 5, 6) and public.search_words(
            id, array['c' || company_id, 'u' || user_id, 't' || token_id, 's' || status], file_name
          ) @@ replace(template, ' ''~', ' ''' || slice)::tsquery$query$),
      ('newest_audit_entries', $query$
          select coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '') || ' '
            || coalesce(address, '') as content
          from audit_entries
          where place is not null and search_words(id,
            array['a' || action, 'u' || actor_id, 'c' || company_id],
            (coalesce(actor_email, '') || ' ' || subject || ' ' || coalesce(company_name, '')
              || ' ' || coalesce(address, ''))
          ) @@ replace(template, ' ''~', ' ''' || slice)::tsquery$query$)
    ) functions (name, candidates)
  loop
    execute replace(made.definition, '  oldest bigint;', E'  oldest bigint;\n  sample text[];');
  end loop;
end $change$;
