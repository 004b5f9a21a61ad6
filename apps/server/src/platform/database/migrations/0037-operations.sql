-- additive

-- Bytes of all companies' files that will be copied to their folders, for whose copies the disk must have
-- room. It has the rights of the owner, because an upload sees only the rows of its own company.
create function unstored_bytes() returns bigint language sql stable
security definer set search_path = pg_catalog, pg_temp
as 'select coalesce(sum(bytes), 0)::bigint from public.submissions
  where status in (0, 1, 3, 5) and source_deleted_at is null';

-- The secret of a webhook, encrypted with a key that follows from TOKEN_SECRET: it no longer changes with
-- that key. It begins with its salt, because a program of the version before sets another salt and not this.
alter table webhooks add column sealed_secret text;
