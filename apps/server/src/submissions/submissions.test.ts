import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rowsOfCompany } from '#platform/database/database.ts'
import type { UserRow } from '#platform/database/tables.ts'
import { insertSubmission } from '#submissions/submissions.ts'
import { buildDictionary, buildSubmission, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

/** Adds copies of a submission, each with a turn of its own. */
async function repeatSubmission(id: number, times: number): Promise<void> {
  const columns = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_name = 'submissions' and column_name not in ('id', 'storage_key', 'turn')
  `.execute(portal.owner)
  const same = sql.join(columns.rows.map(({ name }) => sql.ref(name)))
  await sql`
    insert into submissions (storage_key, turn, ${same})
    select gen_random_uuid(), turn + number, ${same}
    from submissions, generate_series(1, ${times}::integer) as number where id = ${id}
  `.execute(portal.owner)
}

/** Rows of the table, and entries of its indexes, that are read when a clerk adds a submission. */
function countReads({ id: userId, companyId }: UserRow, dictionaryId: number, plans: string) {
  const scoped = rowsOfCompany(portal.deps.db, companyId ?? 0)
  return scoped.transaction().execute(async (trx) => {
    await sql`set local plan_cache_mode = ${sql.raw(plans)}`.execute(trx)
    const file = { fileName: 'a.csv', fileKind: 'csv', bytes: 1, sha256: '0'.repeat(64) } as const
    const ids = { userId, tokenId: null, companyId: companyId ?? 0 }
    const uploader = { ...ids, uploadedByName: 'Ada', uploadedByEmail: 'ada@example.test' }
    const storageKey = portal.deps.ids.uuid()
    const state = { status: SubmissionStatus.Uploaded, storageKey, traceparent: null }
    await insertSubmission(trx, { ...file, ...uploader, ...state, dictionaryId })
    const { rows } = await sql<{ reads: number }>`
      select sum(pg_stat_get_xact_tuples_returned(oid))::integer as reads from pg_class
      where oid = 'submissions'::regclass
        or oid in (select indexrelid from pg_index where indrelid = 'submissions'::regclass)
    `.execute(trx)
    return rows[0]?.reads
  })
}

it('A new submission reads few others, however many of other people wait', async () => {
  const { owner, clerk } = portal
  const [colleague, otherClerk] = [
    await buildUser(owner, { companyId: clerk.companyId }),
    await buildUser(owner),
  ]
  const dictionaryOf = new Map<UserRow, number>()
  for (const person of [clerk, otherClerk])
    dictionaryOf.set(person, (await buildDictionary(owner, { companyId: person.companyId ?? 0 })).id)
  dictionaryOf.set(colleague, dictionaryOf.get(clerk) ?? 0)
  const { Uploaded, IngestionSuccess } = SubmissionStatus
  const waiting = { userId: clerk.id, companyId: clerk.companyId ?? 0, status: Uploaded }
  await repeatSubmission((await buildSubmission(owner, waiting)).id, 3_000)
  const accepted = { userId: otherClerk.id, companyId: otherClerk.companyId ?? 0, status: IngestionSuccess }
  await repeatSubmission((await buildSubmission(owner, accepted)).id, 3_000)
  await sql`analyze submissions`.execute(owner)
  for (const plans of ['force_custom_plan', 'force_generic_plan'])
    for (const person of [colleague, otherClerk, clerk])
      expect(await countReads(person, dictionaryOf.get(person) ?? 0, plans)).toBeLessThan(50)
})
