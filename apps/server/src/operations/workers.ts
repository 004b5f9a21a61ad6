import { sql } from 'kysely'
import type { Db } from '#platform/database/tables.ts'
import { WORKER_LOCK } from '#platform/jobs/leases.ts'

/** The number of running processes, on all machines, that take jobs from this database. */
export async function countWorkers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_locks
    where locktype = 'advisory' and classid = ${WORKER_LOCK} and granted
      and database = (select oid from pg_database where datname = current_database())
  `.execute(db)
  return rows[0]!.count
}
