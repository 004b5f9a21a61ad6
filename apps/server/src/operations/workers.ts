import { sql, type Kysely } from 'kysely'
import type { Database } from '#platform/database/tables.ts'
import { WORKER_LOCK } from '#platform/jobs/leases.ts'

/** The number of running processes, on all machines, that take jobs from this database. */
export async function countWorkers(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_locks
    where locktype = 'advisory' and classid = ${WORKER_LOCK} and granted
      and database = (select oid from pg_database where datname = current_database())
  `.execute(db)
  return rows[0]!.count
}

/** Jobs that wait, by the name of their queue. */
export async function countJobs(db: Kysely<Database>): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select queue.name, count(job.id)
    from jobs.queue left join jobs.job on job.name = queue.name and job.state < 'active'
    group by queue.name
  `.execute(db)
  return new Map(rows.map(({ name, count }) => [name, count]))
}
