import { fileGuards } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { partsOf } from '@veridict/contract/model/field'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { conflict } from '#errors.ts'
import { changeDictionary } from '#dictionaries/dictionary-drafts.ts'
import { appendField, countFields } from '#dictionaries/fields.ts'
import { onlyAfter } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { fieldSubject } from '#dictionaries/field-change.ts'
import { type FieldRequest, checkField } from '#dictionaries/check-field.ts'
import { refuseLargePatterns } from '#dictionaries/refuse-large-patterns.ts'

type Needs = Pick<Deps, 'db' | 'validator' | 'log' | 'caller'>

/**
 * Appends a field; returns its id. Throws 400 for a faulty rule, 409 when the dictionary has a field of that
 * name or no room.
 */
export async function createField(
  dictionaryId: number,
  request: FieldRequest,
  userId: number,
  deps: Needs,
): Promise<number> {
  const field = await checkField(request, deps)
  return inTransaction(deps.db, (trx) =>
    changeDictionary(trx, dictionaryId, userId, async (draft) => {
      // A worksheet cannot have more columns, so no workbook could fit the dictionary.
      const isFull = (await countFields(trx, dictionaryId)) >= fileGuards.maxColumns
      if (isFull) throw conflict(fieldMessages.tooMany(fileGuards.maxColumns))
      await refuseLargePatterns(draft, field, null)
      const result = await appendField(draft, field)
      const about = { subject: fieldSubject(draft, field), detail: onlyAfter(partsOf(field)) }
      await recordAudit({ action: 'field.created', ...about }, trx, deps)
      return { result, change: { kind: 'fieldAdded', field: field.name } }
    }),
  )
}
