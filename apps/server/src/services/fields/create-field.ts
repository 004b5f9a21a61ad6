import { fileGuards } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { conflict, notFound } from '#errors.ts'
import { beginRevision } from '#repositories/dictionaries.ts'
import { appendField, countFields } from '#repositories/fields.ts'
import { type FieldRequest, checkField } from '#services/fields/check-field.ts'

/** Appends a field; answers its id. Throws 400 for a faulty rule, 409 when the dictionary has a field of that name or no room. */
export async function createField(dictionaryId: number, request: FieldRequest, userId: number, deps: Pick<Deps, 'db'>): Promise<number> {
  const field = checkField(request)
  return inTransaction(deps.db, async (trx) => {
    if (!(await beginRevision(trx, dictionaryId, userId))) throw notFound('Data dictionary')
    // A worksheet cannot have more columns, so nobody could ever upload a file for more fields.
    const isFull = (await countFields(trx, dictionaryId)) >= fileGuards.maxColumns
    if (isFull) throw conflict(fieldMessages.tooMany(fileGuards.maxColumns))
    return appendField(trx, dictionaryId, field)
  })
}
