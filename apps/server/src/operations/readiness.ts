import { sql } from 'kysely'
import type { Db } from '#platform/database/tables.ts'

/** Throws when the tables of the queue cannot be read. */
export async function pingQueue(db: Db): Promise<void> {
  await sql`select from submissions, timers limit 0`.execute(db)
}
