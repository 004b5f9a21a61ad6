-- The causes of a file's errors. `submission_causes` has the largest ones in the order of the report, each
-- with its first rows as the report shows them; `cause_counts` has the number of cells of every cause
-- (`[[id, cells], …]`), so that a later upload can be compared with this one. Older rows have neither.

create table submission_causes (
  submission_id integer not null references submissions (id) on delete cascade,
  place integer not null,
  cause_id text not null,
  cause jsonb not null,
  rows jsonb not null,
  primary key (submission_id, place)
);
alter table submissions add column cause_counts jsonb, add column causes_count integer;
