import { sql, type Kysely } from 'kysely'
import type { Database } from '#db/tables.ts'
import { bucketKey } from '#drivers/rate-limits.ts'

/** Fills a rate limit for an hour: attempts leak meanwhile, and a busy machine is slow. */
export async function fillLimit(db: Kysely<Database>, name: string, key: string): Promise<void> {
  await sql`
    insert into rate_limits (key, empties_at, granted)
    values (${bucketKey(name, key)}, now() + interval '1 hour', 0)
    on conflict (key) do update set empties_at = excluded.empties_at
  `.execute(db)
}
