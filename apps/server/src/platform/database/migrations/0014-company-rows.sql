-- The second wall between companies. A connection says whose rows it sees (`veridict.company`: the id of a
-- company, or `all`), and the database hides the others, whatever the statement says; a connection that says
-- nothing sees none. The owner of the tables sees all. Written so that the setting is read once for each
-- statement. See docs/ARCHITECTURE.md#second-wall.

alter table submissions enable row level security;
create policy own_company on submissions
  using (
    (select current_setting('veridict.company', true) = 'all')
    or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)
  )
  with check (
    (select current_setting('veridict.company', true) = 'all')
    or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)
  );

alter table company_dictionaries enable row level security;
create policy own_company on company_dictionaries
  using (
    (select current_setting('veridict.company', true) = 'all')
    or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)
  )
  with check (
    (select current_setting('veridict.company', true) = 'all')
    or company_id = (select nullif(nullif(current_setting('veridict.company', true), 'all'), '')::integer)
  );

alter table row_reports enable row level security;
create policy own_company on row_reports
  using (
    (select current_setting('veridict.company', true) = 'all')
    or exists (select from submissions where submissions.id = row_reports.submission_id)
  )
  with check (
    (select current_setting('veridict.company', true) = 'all')
    or exists (select from submissions where submissions.id = row_reports.submission_id)
  );

alter table report_faults enable row level security;
create policy own_company on report_faults
  using (
    (select current_setting('veridict.company', true) = 'all')
    or exists (select from submissions where submissions.id = report_faults.submission_id)
  )
  with check (
    (select current_setting('veridict.company', true) = 'all')
    or exists (select from submissions where submissions.id = report_faults.submission_id)
  );

alter table submission_causes enable row level security;
create policy own_company on submission_causes
  using (
    (select current_setting('veridict.company', true) = 'all')
    or exists (select from submissions where submissions.id = submission_causes.submission_id)
  )
  with check (
    (select current_setting('veridict.company', true) = 'all')
    or exists (select from submissions where submissions.id = submission_causes.submission_id)
  );

-- Added in the statement that adds its submission, which the policy would not see yet.
alter table submission_moves enable row level security;
create policy own_company on submission_moves
  using (
    (select current_setting('veridict.company', true) = 'all')
    or exists (select from submissions where submissions.id = submission_moves.submission_id)
  )
  with check (true);

-- E-mails have the links that set passwords.
alter table mails enable row level security;
create policy own_company on mails
  using ((select current_setting('veridict.company', true) = 'all'))
  with check ((select current_setting('veridict.company', true) = 'all'));

alter table password_links enable row level security;
create policy own_company on password_links
  using ((select current_setting('veridict.company', true) = 'all'))
  with check ((select current_setting('veridict.company', true) = 'all'));

-- The one thing that an upload must know of other companies.
create function first_waiting_turn() returns integer
language sql stable security definer set search_path = public, pg_temp
as 'select min(turn) from submissions where status = 0';
