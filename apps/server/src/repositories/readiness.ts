import { sql, type Kysely } from 'kysely'
import type { Database } from '#db/tables.ts'

/** Throws when the database does not answer. */
export async function pingDatabase(db: Kysely<Database>): Promise<void> {
  await sql`select 1`.execute(db)
}

/** Throws when the queue's tables (pg-boss, schema `jobs`) cannot be read. */
export async function pingQueue(db: Kysely<Database>): Promise<void> {
  await sql`select version from jobs.version`.execute(db)
}
