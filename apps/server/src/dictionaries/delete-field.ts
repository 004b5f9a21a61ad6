import { partsOf } from '@veridict/contract/model/field'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { changeDictionary } from '#dictionaries/dictionary-drafts.ts'
import { deleteFieldRow, findField } from '#dictionaries/fields.ts'
import { onlyBefore } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { fieldSubject } from '#dictionaries/field-change.ts'

/**
 * Deletes a field and closes up the positions; earlier submissions keep it in their version. Throws 404 when
 * the dictionary has no such field.
 */
export async function deleteField(
  dictionaryId: number,
  id: number,
  userId: number,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, (trx) =>
    changeDictionary(trx, dictionaryId, userId, async (draft) => {
      const field = await findField(trx, id)
      if (field === undefined || (await deleteFieldRow(draft, id)) === undefined) throw notFound('Field')
      const about = { subject: fieldSubject(draft, field), detail: onlyBefore(partsOf(field)) }
      await recordAudit({ action: 'field.deleted', ...about }, trx, deps)
      return { change: { kind: 'fieldDeleted', field: field.name }, result: undefined }
    }),
  )
}
