import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { lockDictionary, markDictionaryDeleted } from '#dictionaries/dictionaries.ts'
import { recordAudit } from '#audit/record-audit.ts'

/**
 * Deletes a dictionary softly and removes it from its companies; history and reports still use its versions.
 */
export async function deleteDictionary(
  id: number,
  userId: number,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const dictionary = await lockDictionary(trx, id)
    if (!dictionary) throw notFound('Data dictionary')
    await markDictionaryDeleted(trx, id, userId)
    await recordAudit({ action: 'dictionary.deleted', subject: dictionary.name }, trx, deps)
  })
}
