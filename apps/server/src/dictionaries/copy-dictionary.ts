import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { lockDictionaryForShare } from '#dictionaries/dictionaries.ts'
import { createDictionary } from '#dictionaries/dictionary-drafts.ts'
import { copyFields } from '#dictionaries/fields.ts'
import { onlyAfter } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'

/**
 * Makes a dictionary with the same fields under another name; returns its id. Throws 409 when the name is
 * taken.
 */
export async function copyDictionary(
  id: number,
  name: string,
  userId: number,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<number> {
  return inTransaction(deps.db, async (trx) => {
    const original = await lockDictionaryForShare(trx, id)
    if (!original) throw notFound('Data dictionary')
    const change = { kind: 'copied', from: original.name } as const
    const copyId = await createDictionary(trx, name, userId, change, (draft) => copyFields(draft, id))
    const detail = onlyAfter({ name, copyOf: original.name })
    await recordAudit({ action: 'dictionary.created', subject: name, detail }, trx, deps)
    return copyId
  })
}
