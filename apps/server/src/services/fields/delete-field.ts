import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { beginRevision } from '#repositories/dictionaries.ts'
import { deleteFieldRow } from '#repositories/fields.ts'

/** Deletes a field and closes up the positions; earlier submissions keep it in their version. Throws 404 when the dictionary has no such field. */
export async function deleteField(dictionaryId: number, id: number, userId: number, deps: Pick<Deps, 'db'>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await beginRevision(trx, dictionaryId, userId))) throw notFound('Data dictionary')
    if (!(await deleteFieldRow(trx, dictionaryId, id))) throw notFound('Field')
  })
}
