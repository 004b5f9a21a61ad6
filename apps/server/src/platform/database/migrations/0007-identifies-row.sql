-- A field may identify the row: reports show its values beside the row number. `row_reports.key` holds those
-- values, `[{"label": …, "value": …}, …]`; in reports from before this migration it is empty. Frozen fields
-- from before lack `identifiesRow`, which means false.

alter table fields add column identifies_row boolean not null default false;
alter table row_reports add column key jsonb not null default '[]';
