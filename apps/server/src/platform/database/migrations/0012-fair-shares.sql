-- The turn of a submission among the waiting files of all companies, with what the next turn is read from;
-- and an index for the bytes that a company keeps.

alter table submissions add column turn integer not null default 0;
create index submissions_waiting on submissions (turn) where status = 0;
create index submissions_waiting_of_company on submissions (company_id, turn) where status = 0;
create index submissions_kept on submissions (company_id) include (bytes) where source_deleted_at is null;
