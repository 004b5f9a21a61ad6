import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { lockDictionary, markDictionaryDeleted } from '#repositories/dictionaries.ts'

/**
 * Deletes a dictionary softly and takes it from its companies; history and reports live on in its versions.
 */
export async function deleteDictionary(id: number, userId: number, deps: Pick<Deps, 'db'>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockDictionary(trx, id))) throw notFound('Data dictionary')
    await markDictionaryDeleted(trx, id, userId)
  })
}
