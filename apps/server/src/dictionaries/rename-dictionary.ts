import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { changeDictionary, renameDraft } from '#dictionaries/dictionary-drafts.ts'
import { changes } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { dictionaryEtag, refuseStale } from '#platform/etags.ts'

/** Throws 409 when the name is taken, or when it was renamed since the ETag `version` was read. */
export async function renameDictionary(
  id: number,
  { name, version: etag }: { name: string; version?: string | null },
  userId: number,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, (trx) =>
    changeDictionary(trx, id, userId, async (draft) => {
      refuseStale(etag, dictionaryEtag(draft))
      await renameDraft(draft, name)
      if (name === draft.name) return { change: null, result: undefined }
      const detail = changes({ name: draft.name }, { name })
      await recordAudit({ action: 'dictionary.updated', subject: draft.name, detail }, trx, deps)
      return { change: { kind: 'renamed', from: draft.name }, result: undefined }
    }),
  )
}
