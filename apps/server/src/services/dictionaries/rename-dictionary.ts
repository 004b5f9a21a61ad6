import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { lockDictionary, renameDictionaryRow } from '#repositories/dictionaries.ts'
import { refuseStale } from '#services/content-version.ts'
import { dictionaryVersion } from '#services/dictionaries/dictionary-version.ts'

/** 409 when the name is taken, or when someone else renamed the dictionary since `version` was read. */
export async function renameDictionary(
  id: number,
  { name, version }: { name: string; version?: string | null },
  userId: number,
  deps: Pick<Deps, 'db'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const dictionary = await lockDictionary(trx, id)
    if (!dictionary) throw notFound('Data dictionary')
    refuseStale(version, dictionaryVersion(dictionary))
    await renameDictionaryRow(trx, id, name, userId)
  })
}
