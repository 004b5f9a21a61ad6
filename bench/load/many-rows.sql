-- Fills a database that `veridict migrate` has made for a trial: a portal after five years, with 200 small
-- companies and a large one that has four fifths of all submissions, half of them by one person.
--   psql "$DATABASE_URL" -v submissions=10000000 -f bench/load/many-rows.sql
-- Twice as many entries of the audit trail; of the newest tenth also moves, of the newest 200th also e-mails,
-- webhooks and rows with errors, as retention leaves them. 10,000,000: about an hour and 24 GB on one core.
-- As a superuser: without the checks of foreign keys.
\set ON_ERROR_STOP on
\timing on
set session_replication_role = replica;
set synchronous_commit = off;
set maintenance_work_mem = '512MB';
set statement_timeout = 0;
set veridict.submissions = :submissions;

create temp table rebuilt as select indexname as name, indexdef as definition from pg_indexes
where schemaname = 'public' and tablename in ('submissions', 'submission_moves', 'audit_entries')
  and indexname not in (select conname from pg_constraint);
select format('drop index %I', name) from rebuilt \gexec

insert into companies (name, storage_folder, address)
select case n when 0 then 'Large' else 'Small ' || n end, 'many-rows-' || n, '' from generate_series(0, 200) n;
insert into users (company_id, role, name, email, phone)
select id, 'companyUser', 'Clerk ' || n, 'clerk-' || n || '@' || storage_folder || '.example', ''
from companies, generate_series(1, case name when 'Large' then 1000 else 10 end) n
where storage_folder like 'many-rows-%' order by id, n;
insert into dictionaries (name) values ('Claims of many rows');
insert into dictionary_versions (dictionary_id, revision, name, field_ids, changed_at, change)
select id, 1, name, '{}', now(), '{"kind": "created"}' from dictionaries where name = 'Claims of many rows';

-- The n-th submission: when, of which company and person, under which name, with which end.
create temp table ids as select
  (select max(id) from dictionary_versions) as version,
  (select id from companies where storage_folder = 'many-rows-0') as company,
  (select min(u.id) from users u join companies c on c.id = u.company_id
    where storage_folder = 'many-rows-0') as person,
  coalesce((select max(id) from submissions), 0) as before;
create function pg_temp.submission_number(n bigint)
returns table (at timestamptz, company integer, person integer, name text, status smallint)
language sql stable as $$
  select made, (case when n % 5 > 0 then 0 else 1 + n / 5 % 200 end)::integer,
    (case when n % 5 = 0 then 1000 + n / 5 % 200 * 10 + n / 1000 % 10 when n % 2 = 0 then 0
      else n / 10 % 1000 end)::integer,
    case when n % 100003 = 0 then 'Amendment'
      else (array['Claims', 'Claims', 'Claims', 'Members', 'eligibility', 'Remittance_EU'])[1 + n / 3 % 6] end
    || to_char(made, '_YYYY-MM_') || substr(md5(n::text), 1, 8)
    || case n % 4 when 0 then '.xlsx' else '.csv' end,
    (case n % 3 when 0 then 2 else 4 end)::smallint
  from (select now() - interval '10 minutes' - interval '43800 hours' * (1 - n::float8 / total) as made
    from (select current_setting('veridict.submissions')::integer as total) given) moment
$$;

insert into submissions (company_id, user_id, dictionary_version_id, dictionary_name, file_name, file_kind, bytes,
  sha256, storage_key, status, error_type, records_count, error_row_count, cell_error_count, target_path,
  uploaded_by_name, uploaded_by_email, receipt, created_at, updated_at, settled_at, source_deleted_at)
select ids.company + s.company, ids.person + s.person, ids.version, 'Claims of many rows', s.name,
  case n % 4 when 0 then 'xlsx' else 'csv' end, 20000, md5(n::text) || md5(n::text), md5('key ' || n),
  s.status, case s.status when 2 then 0 end, 200, case s.status when 2 then 30 else 0 end,
  case s.status when 2 then 50 else 0 end,
  case s.status when 4 then 'many-rows/' || to_char(s.at, 'YYYY/MM') || '/' || n || '_' || s.name end,
  'Clerk', 'clerk-' || s.person || '@many-rows.example',
  case when s.status = 4 and n > 0.7 * :submissions then repeat(md5('receipt ' || n), 22) end,
  s.at, s.at, s.at, case when s.status = 4 or n < 0.95 * :submissions then s.at end
from generate_series(1, :submissions) n, ids, lateral pg_temp.submission_number(n) s;

insert into submission_moves (submission_id, from_status, to_status, at)
select ids.before + n, nullif(move[1], -1), move[2], s.at
from generate_series(0.9 * :submissions, :submissions) n, ids, lateral pg_temp.submission_number(n::bigint) s,
  lateral (values (array[-1, 0]), (array[0, 1]), (array[1, case s.status when 2 then 2 else 3 end]),
    (array[3, s.status])) moves (move)
where s.status = 4 or move[1] < 3;
insert into mails (message_id, recipient, subject, text_body, html_body, created_at, sent_at)
select 'many-rows-' || n, 'clerk@many-rows.example', 'Accepted: ' || s.name, '', '', s.at, s.at
from generate_series(0.995 * :submissions, :submissions) n, lateral pg_temp.submission_number(n::bigint) s;
insert into webhook_deliveries (message_id, company_id, submission_id, body, created_at, delivered_at)
select 'many-rows-' || n, ids.company + s.company, ids.before + n, repeat('x', 400), s.at, s.at
from generate_series(0.995 * :submissions, :submissions) n, ids, lateral pg_temp.submission_number(n::bigint) s;
insert into row_reports (submission_id, row_number, total_count, errors, key)
select ids.before + n, r + 1, 2, jsonb_build_array(jsonb_build_array(0, md5(n || 'a' || r), 'c', null),
  jsonb_build_array(1, md5(n || 'b' || r), 'd', null)), '[]'
from generate_series(0.995 * :submissions, :submissions) n, ids, generate_series(1, 100) r where n % 3 = 0;

-- Without a join, which would return them in another order.
insert into audit_entries (at, action, actor_id, actor_email, company_id, company_name, subject, address, detail,
  place, hash)
select s.at + ((n + 1) % 2) * interval '1 second',
  case when n % 13 = 0 then 'login.succeeded' when n % 17 = 0 then 'file.viewed'
    when n % 2 = 0 then 'file.uploaded' else 'file.verdict' end,
  ids.person + s.person, (select email from users where id = ids.person + s.person),
  ids.company + s.company, (select companies.name from companies where id = ids.company + s.company),
  s.name, '10.' || n % 250 || '.' || n / 7 % 250 || '.' || s.person % 250,
  jsonb_build_object('after', jsonb_build_object('bytes', 20000, 'submission', ids.before + n / 2)),
  chain.last_place + n, md5(n::text) || md5(n::text)
from ids, audit_chain chain, generate_series(1, 2 * :submissions) n,
  lateral pg_temp.submission_number((n + 1) / 2) s;
update audit_chain set last_place = place, last_hash = hash
from (select place, hash from audit_entries order by id desc limit 1) newest;

select definition from rebuilt \gexec
vacuum (analyze);
