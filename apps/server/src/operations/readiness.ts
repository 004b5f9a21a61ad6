import { sql, type Kysely } from 'kysely'
import type { Database } from '#platform/database/tables.ts'

/** Throws when the queue's tables (pg-boss, schema `jobs`) cannot be read. */
export async function pingQueue(db: Kysely<Database>): Promise<void> {
  await sql`select version from jobs.version`.execute(db)
}
