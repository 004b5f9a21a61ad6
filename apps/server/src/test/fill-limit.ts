import { sql } from 'kysely'
import type { Db } from '#platform/database/tables.ts'
import { bucketKey } from '#platform/admission/shared-buckets.ts'

/**
 * Fills a rate limit so far that it stays full for an hour: otherwise it could be free again on a slow
 * machine.
 */
export async function fillLimit(db: Db, name: string, key: string): Promise<void> {
  await sql`
    insert into rate_limits (key, empties_at, granted)
    values (${bucketKey(name, key)}, now() + interval '1 hour', 0)
    on conflict (key) do update set empties_at = excluded.empties_at
  `.execute(db)
}
