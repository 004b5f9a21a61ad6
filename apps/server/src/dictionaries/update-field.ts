import { partsOf } from '@veridict/contract/model/field'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { changeDictionary } from '#dictionaries/dictionary-drafts.ts'
import { changeField, type StoredField } from '#dictionaries/fields.ts'
import { changes } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { fieldEtag, refuseStale } from '#platform/etags.ts'
import { type FieldRequest, checkField } from '#dictionaries/check-field.ts'
import { fieldChange, fieldSubject } from '#dictionaries/field-change.ts'
import { readField } from '#dictionaries/read-fields.ts'
import { refuseLargePatterns } from '#dictionaries/refuse-large-patterns.ts'

type Needs = Pick<Deps, 'db' | 'validator' | 'log' | 'caller'>
type FieldUpdate = FieldRequest & { dataDictionaryId?: number; version?: string | null }

/**
 * 400 for a faulty rule; 404 also when the field is not of `dataDictionaryId`; 409 when the dictionary has
 * another field of that name, or when someone else changed the field since the ETag `version` was read.
 */
export async function updateField(
  id: number,
  request: FieldUpdate,
  userId: number,
  deps: Needs,
): Promise<StoredField> {
  const field = await checkField(request, deps, async (pattern) => {
    const { rule } = await readField(id, deps)
    return rule.type === 'pattern' && rule.pattern === pattern
  })
  const { dictionaryId } = await readField(id, deps)
  if (request.dataDictionaryId !== undefined && request.dataDictionaryId !== dictionaryId)
    throw notFound('Field')
  return inTransaction(deps.db, (trx) =>
    changeDictionary(trx, dictionaryId, userId, async (draft) => {
      // Read again, because from here on the draft keeps others from changing it.
      const before = await readField(id, { db: trx })
      refuseStale(request.version, fieldEtag(before))
      await refuseLargePatterns(draft, field, id)
      const after = await changeField(draft, id, field)
      const change = fieldChange(before, after)
      const detail = changes(partsOf(before), partsOf(after))
      const about = { subject: fieldSubject(draft, before), detail }
      if (change !== null) await recordAudit({ action: 'field.updated', ...about }, trx, deps)
      return { change, result: after }
    }),
  )
}
