import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import pg from 'pg'
import { databaseOn } from '../../apps/server/src/platform/database/database.ts'
import { countRows } from '../../apps/server/src/platform/database/lists.ts'
import type { Db } from '../../apps/server/src/platform/database/tables.ts'
import type { Company, Testbed } from './testbed.ts'

/** More new rows than this are added without indexes, which are then made again. */
const MANY = 10_000

/**
 * Makes the history of the large company at least so long: two thirds accepted, one third rejected, uploaded
 * by all its clerks, one a minute, under names like `Claims_2024-03_1f0c9a2b.csv`.
 */
export async function growHistory({ databaseUrl, large }: Testbed, rows: number): Promise<void> {
  // Not the portal's kind of connection, which ends statements after some seconds.
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const db = databaseOn(client)
    const ofLarge = db.selectFrom('submissions').where('companyId', '=', large.id)
    const missing = rows - (await countRows(ofLarge))
    if (missing <= 0) return
    await db.transaction().execute((trx) => addRows(trx, large, missing))
    await sql`vacuum (analyze) submissions`.execute(db)
  } finally {
    await client.end()
  }
}

async function addRows(trx: Db, company: Company, missing: number): Promise<void> {
  const indexes = missing > MANY ? await plainIndexes(trx) : []
  await sql`set local maintenance_work_mem = '256MB'`.execute(trx)
  // Without the checks of foreign keys.
  await sql`set local session_replication_role = replica`.execute(trx)
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(trx)
  await insertRows(trx, company, missing)
  for (const { definition } of indexes) await sql.raw(definition).execute(trx)
}

/** The indexes that belong to no constraint. */
async function plainIndexes(trx: Db): Promise<{ name: string; definition: string }[]> {
  const found = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'submissions' and indexname not in
      (select conname from pg_constraint where conrelid = 'submissions'::regclass)`.execute(trx)
  return found.rows
}

async function insertRows(db: Db, company: Company, count: number): Promise<void> {
  const firstUser = Math.min(...company.clerks.map(({ userId }) => userId))
  await sql`
    insert into submissions (company_id, user_id, dictionary_version_id, dictionary_name, file_name,
      file_kind, bytes, sha256, storage_key, status, records_count, error_row_count, cell_error_count,
      created_at, updated_at, settled_at)
    select ${company.id}, ${firstUser} + n % ${sql.lit(company.clerks.length)}, ${company.versionId},
      'Claims', 'Claims_' || to_char(at, 'YYYY-MM') || '_' || substr(md5(n::text), 1, 8) || '.csv', 'csv',
      20000, md5(n::text) || md5(n::text), gen_random_uuid()::text,
      case n % 3 when 0 then ${sql.lit(SubmissionStatus.ValidationFailed)}
        else ${sql.lit(SubmissionStatus.IngestionSuccess)} end,
      200, case n % 3 when 0 then 3 else 0 end, case n % 3 when 0 then 5 else 0 end, at, at, at
    from (
      select n, now() - make_interval(mins => ${sql.lit(count)} - n + 10) as at
      from generate_series(1, ${sql.lit(count)}) n
    ) numbered`.execute(db)
}
