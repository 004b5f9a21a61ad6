-- additive, concurrently

-- The few sources that are no longer needed, for each sweep of the storage: without it PostgreSQL read all
-- submissions in the order of their ids, which of ten million takes longer than a statement may.
create index concurrently if not exists submissions_unneeded on submissions (status, settled_at)
where source_deleted_at is null;
