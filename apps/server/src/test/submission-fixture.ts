import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Database, Db, SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { buildSubmission } from '#test/factories.ts'
import type { TestApp } from '#test/test-app.ts'

export const csvOfTwoRows = 'Name,Amount\nAda,1.50\nGrace,2\n'

/** A submission with its file in storage. */
export async function buildStoredSubmission(
  deps: Pick<Deps, 'db' | 'storage' | 'ids'>,
  given: Partial<Insertable<Database['submissions']>> = {},
  content: string | Uint8Array = csvOfTwoRows,
): Promise<SubmissionRow> {
  const bytes = Buffer.from(content as string)
  const storageKey = deps.ids.uuid()
  const staged = await deps.storage.stage(once(bytes))
  await staged.keep(`.sources/${storageKey}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return buildSubmission(deps.db, { storageKey, sha256, bytes: bytes.length, ...given })
}

/** A stored submission of the clerk of a test portal. */
export const buildSubmissionOfClerk = (
  { deps, clerk }: Pick<TestApp, 'deps' | 'clerk'>,
  given: Partial<Insertable<Database['submissions']>> = {},
): Promise<SubmissionRow> =>
  buildStoredSubmission(deps, { userId: clerk.id, companyId: clerk.companyId ?? 0, ...given })

/** The submission as it is now. */
export const findRow = (db: Db, id: number): Promise<SubmissionRow> =>
  db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
