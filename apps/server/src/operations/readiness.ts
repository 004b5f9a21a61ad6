import { sql, type Kysely } from 'kysely'
import type { Database } from '#platform/database/tables.ts'

/** Throws when the tables of the queue cannot be read. */
export async function pingQueue(db: Kysely<Database>): Promise<void> {
  await sql`select from submissions, timers limit 0`.execute(db)
}
