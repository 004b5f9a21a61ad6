import { sql, type Kysely } from 'kysely'

/**
 * Indexes for histories of a million files: by status, by the time of the last move, and by any three
 * characters of the file name. The last needs pg_trgm, which is part of PostgreSQL; where the account may not
 * add it, searches read all names of the company, as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index submissions_company_status on submissions (company_id, status, id desc)`.execute(db)
  await sql`create index submissions_company_moved on submissions (company_id, updated_at)`.execute(db)
  await sql`
    do $$
    begin
      create extension if not exists pg_trgm;
      create index submissions_file_name on submissions using gin (file_name gin_trgm_ops);
    exception when insufficient_privilege or undefined_file or feature_not_supported
      -- It is in a schema that is not searched.
      or undefined_object then
      raise notice 'pg_trgm cannot be added; searches are slower';
    end
    $$
  `.execute(db)
}
