import { isDeepStrictEqual } from 'node:util'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { conflict, invalid } from '#errors.ts'
import { changeDictionary } from '#dictionaries/dictionary-drafts.ts'
import { findFieldIds, findFieldNames, findForeignFieldIds, placeFields } from '#dictionaries/fields.ts'
import { changes } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { type FieldPosition, compareOrder, orderOf } from '#dictionaries/field-order.ts'

type OrderRequest = { itemPositionList: readonly FieldPosition[]; seenOrder?: readonly number[] | null }

/**
 * Puts all fields of a dictionary into another order. Throws 400 unless the list names every field once with
 * positions 1 to n, and 409 when the fields, or their order as the sender saw it, changed since the list was
 * made.
 */
export async function reorderFields(
  dictionaryId: number,
  { itemPositionList, seenOrder }: OrderRequest,
  userId: number,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  const incomplete = () => invalid('itemPositionList', fieldMessages.orderIncomplete)
  const ids = orderOf(itemPositionList)
  if (!ids) throw incomplete()
  await inTransaction(deps.db, (trx) =>
    changeDictionary(trx, dictionaryId, userId, async (draft) => {
      const foreignIds = await findForeignFieldIds(trx, dictionaryId, ids)
      const presentIds = await findFieldIds(trx, dictionaryId)
      const difference = compareOrder(ids, presentIds)
      if (foreignIds.length > 0 || difference === 'incomplete') throw incomplete()
      const isConflict = seenOrder != null && !isDeepStrictEqual(seenOrder, presentIds)
      if (difference === 'outdated' || isConflict) throw conflict(fieldMessages.changedMeanwhile)
      const before = await findFieldNames(trx, dictionaryId)
      if (!(await placeFields(draft, ids))) return { change: null, result: undefined }
      const detail = changes({ order: before }, { order: await findFieldNames(trx, dictionaryId) })
      await recordAudit({ action: 'dictionary.updated', subject: draft.name, detail }, trx, deps)
      return { change: { kind: 'reordered' }, result: undefined }
    }),
  )
}
