-- additive

-- Warnings of rules between cells: their numbers, and each rule that warns as a cause, in the order of the
-- rule book, with its cells in the first rows with warnings and in its own first rows. A table of its own,
-- because the version before takes every cause for one of errors.

alter table submissions add column warning_count integer, add column warning_row_count integer;
create table submission_warnings (
  submission_id integer not null references submissions (id) on delete cascade,
  place integer not null,
  cause_id text not null,
  cause jsonb not null,
  rows jsonb not null,
  primary key (submission_id, place)
);
alter table submission_warnings enable row level security;
-- As 0014-company-rows has it for causes.
create policy own_company on submission_warnings
  using (
    (select current_setting('veridict.company', true) = 'all')
    or exists (select from submissions where submissions.id = submission_warnings.submission_id)
  )
  with check (
    (select current_setting('veridict.company', true) = 'all')
    or exists (select from submissions where submissions.id = submission_warnings.submission_id)
  );
