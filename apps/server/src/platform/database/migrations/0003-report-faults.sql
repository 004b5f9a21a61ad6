-- The faults of a column are stored once for a submission, no longer with every cell error: a hundred rows
-- with 16,384 errors each held hundreds of megabytes of equal sentences. `row_reports.errors` becomes an
-- array with fault number and value of each cell error. Existing reports are carried over.

create table report_faults (
  submission_id integer not null references submissions (id) on delete cascade,
  number integer not null,
  column_position text not null,
  label text not null,
  error text not null,
  expected text not null,
  primary key (submission_id, number)
);
insert into report_faults (submission_id, number, column_position, label, error, expected)
  select submission_id, row_number() over (partition by submission_id) - 1,
    column_position, label, error, expected
  from (
    select distinct submission_id, cell ->> 'columnPosition' as column_position, cell ->> 'label' as label,
      cell ->> 'error' as error, cell ->> 'expected' as expected
    from row_reports, jsonb_array_elements(errors) as cell
  ) as faults;
update row_reports set errors = (
  select jsonb_agg(jsonb_build_array(report_faults.number, cell -> 'value') order by place)
  from jsonb_array_elements(errors) with ordinality as kept (cell, place)
  join report_faults on report_faults.submission_id = row_reports.submission_id
    and column_position = cell ->> 'columnPosition' and label = cell ->> 'label'
    and error = cell ->> 'error' and expected = cell ->> 'expected'
)
where errors <> '[]';
