import type { Cause } from '@veridict/contract/model/cause'
import type { RowReport } from '@veridict/contract/model/cell-error'
import type { Kysely } from 'kysely'
import type { Database } from '#db/tables.ts'

const causesOf = (db: Kysely<Database>, submissionId: number) =>
  db.selectFrom('submissionCauses').where('submissionId', '=', submissionId)

/** The largest causes, most cells first. */
export async function findCauses(db: Kysely<Database>, submissionId: number): Promise<Cause[]> {
  const found = await causesOf(db, submissionId).select('cause').orderBy('place').execute()
  return found.map(({ cause }) => cause)
}

/** The kept rows of a cause; undefined if the cause is not kept. */
export async function findCauseRows(
  db: Kysely<Database>,
  submissionId: number,
  causeId: string,
): Promise<RowReport[] | undefined> {
  const found = causesOf(db, submissionId).where('causeId', '=', causeId)
  return (await found.select('rows').executeTakeFirst())?.rows
}
