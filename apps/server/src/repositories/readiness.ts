import type { SubmissionStatus } from '@veridict/contract/model/submission-status'
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

/** How many submissions are in each status. */
export async function countSubmissions(
  db: Kysely<Database>,
): Promise<{ status: SubmissionStatus; count: number }[]> {
  return db
    .selectFrom('submissions')
    .select((row) => ['status', row.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
}
