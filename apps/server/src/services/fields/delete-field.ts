import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { changeDictionary } from '#repositories/dictionary-drafts.ts'
import { deleteFieldRow } from '#repositories/fields.ts'

/**
 * Deletes a field and closes up the positions; earlier submissions keep it in their version. Throws 404 when
 * the dictionary has no such field.
 */
export async function deleteField(
  dictionaryId: number,
  id: number,
  userId: number,
  deps: Pick<Deps, 'db'>,
): Promise<void> {
  await inTransaction(deps.db, (trx) =>
    changeDictionary(trx, dictionaryId, userId, async (draft) => {
      const field = await deleteFieldRow(draft, id)
      if (field === undefined) throw notFound('Field')
      return { change: { kind: 'fieldDeleted', field }, result: undefined }
    }),
  )
}
