import { isDeepStrictEqual } from 'node:util'
import { dictionaryLimits, fileGuards } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { DictionaryChange, FieldPart } from '@veridict/contract/model/dictionary-change'
import { type Field, partsOf } from '@veridict/contract/model/field'
import { patternsSize } from '@veridict/engine'
import { changes, onlyAfter, onlyBefore, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { checkField, type FieldRequest } from '#dictionaries/check-field.ts'
import { changeDictionary, type DictionaryDraft } from '#dictionaries/dictionary-drafts.ts'
import { compareOrder, type FieldPosition, orderOf } from '#dictionaries/field-order.ts'
import {
  appendField,
  changeField,
  countFields,
  deleteFieldRow,
  findField,
  findFieldOrder,
  findForeignFieldIds,
  findPatterns,
  placeFields,
  type StoredField,
} from '#dictionaries/fields.ts'
import { readField } from '#dictionaries/read-dictionaries.ts'
import { prepareRules } from '#dictionaries/rule-books.ts'
import { conflict, found, invalid, notFound } from '#errors.ts'
import { fieldEtag, refuseStale } from '#platform/etags.ts'

type Needs = Pick<Deps, 'db' | 'validator' | 'log' | 'caller'>

/**
 * Appends a field; returns its id. Throws 400 for a faulty rule, 409 when the dictionary has a field of that
 * name or no room.
 */
export async function createField(dictionaryId: number, request: FieldRequest, deps: Needs): Promise<number> {
  const field = await checkField(request, deps)
  return changeDictionary(deps, dictionaryId, async (draft) => {
    const { trx } = draft
    // A worksheet cannot have more columns, so no workbook could fit the dictionary.
    const isFull = (await countFields(trx, dictionaryId)) >= fileGuards.maxColumns
    if (isFull) throw conflict(fieldMessages.tooMany(fileGuards.maxColumns))
    await refuseLargePatterns(draft, field, null)
    const result = await appendField(draft, field)
    const about = { subject: fieldSubject(draft, field), detail: onlyAfter(partsOf(field)) }
    await recordAudit({ action: 'field.created', ...about }, trx, deps)
    return { result, change: { kind: 'fieldAdded', field: field.name } }
  })
}

type FieldUpdate = FieldRequest & { dataDictionaryId?: number; version?: string | null }

/**
 * 400 for a faulty rule; 404 also when the field is not of `dataDictionaryId`; 409 when the dictionary has
 * another field of that name, when someone else changed the field since the ETag `version` was read, or when
 * rules need it as it was.
 */
export async function updateField(id: number, request: FieldUpdate, deps: Needs): Promise<StoredField> {
  const field = await checkField(request, deps, async (pattern) => {
    const { rule } = await readField(id, deps)
    return rule.type === 'pattern' && rule.pattern === pattern
  })
  const present = await readField(id, deps)
  const { dictionaryId } = present
  if (request.dataDictionaryId !== undefined && request.dataDictionaryId !== dictionaryId)
    throw notFound('Field')
  const storeRules = await prepareRules(dictionaryId, { before: present, after: field }, deps)
  return changeDictionary(deps, dictionaryId, async (draft) => {
    const { trx } = draft
    // Read again, because from here on the draft keeps others from changing it.
    const before = await readField(id, { db: trx })
    refuseStale(request.version, fieldEtag(before))
    await refuseLargePatterns(draft, field, id)
    await storeRules(draft)
    const after = await changeField(draft, id, field)
    const change = fieldChange(before, after)
    const detail = changes(partsOf(before), partsOf(after))
    const about = { subject: fieldSubject(draft, before), detail }
    if (change !== null) await recordAudit({ action: 'field.updated', ...about }, trx, deps)
    return { change, result: after }
  })
}

/**
 * Deletes a field and closes up the positions; earlier submissions keep it in their version. Throws 404 when
 * the dictionary has no such field, 409 if rules name it.
 */
export async function deleteField(dictionaryId: number, id: number, deps: Needs): Promise<void> {
  const present = await readField(id, deps)
  const storeRules = await prepareRules(dictionaryId, { before: present, after: null }, deps)
  await changeDictionary(deps, dictionaryId, async (draft) => {
    const { trx } = draft
    const field = await found(findField(trx, id), 'Field')
    await storeRules(draft)
    await found(deleteFieldRow(draft, id), 'Field')
    const about = { subject: fieldSubject(draft, field), detail: onlyBefore(partsOf(field)) }
    await recordAudit({ action: 'field.deleted', ...about }, trx, deps)
    return { change: { kind: 'fieldDeleted', field: field.name }, result: undefined }
  })
}

type OrderRequest = { itemPositionList: readonly FieldPosition[]; seenOrder?: readonly number[] | null }

/**
 * Puts all fields of a dictionary into another order. Throws 400 unless the list names every field once with
 * positions 1 to n, and 409 when the fields, or their order as the sender saw it, changed since the list was
 * made.
 */
export async function reorderFields(
  dictionaryId: number,
  { itemPositionList, seenOrder }: OrderRequest,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  const incomplete = () => invalid('itemPositionList', fieldMessages.orderIncomplete)
  const ids = orderOf(itemPositionList)
  if (!ids) throw incomplete()
  await changeDictionary(deps, dictionaryId, async (draft) => {
    const { trx } = draft
    const foreignIds = await findForeignFieldIds(trx, dictionaryId, ids)
    const present = await findFieldOrder(trx, dictionaryId)
    const presentIds = present.map(({ id }) => id)
    const difference = compareOrder(ids, presentIds)
    if (foreignIds.length > 0 || difference === 'incomplete') throw incomplete()
    const isConflict = seenOrder != null && !isDeepStrictEqual(seenOrder, presentIds)
    if (difference === 'outdated' || isConflict) throw conflict(fieldMessages.changedMeanwhile)
    if (!(await placeFields(draft, ids))) return { change: null, result: undefined }
    const [before, after] = [present, await findFieldOrder(trx, dictionaryId)].map((fields) => ({
      order: fields.map(({ name }) => name),
    }))
    const detail = changes(before!, after!)
    await recordAudit({ action: 'dictionary.updated', subject: draft.name, detail }, trx, deps)
    return { change: { kind: 'reordered' }, result: undefined }
  })
}

const parts: Record<FieldPart, (field: Field) => unknown> = {
  description: ({ description }) => description,
  category: ({ category }) => category,
  format: ({ rule }) => rule,
  required: ({ required }) => required,
  identifiesRow: ({ identifiesRow = false }) => identifiesRow,
}

/** The difference between two states of a field; null if there is none. */
function fieldChange(before: Field, after: Field): DictionaryChange | null {
  const changed = (Object.keys(parts) as FieldPart[]).filter(
    (part) => !isDeepStrictEqual(parts[part](before), parts[part](after)),
  )
  const from = before.name === after.name ? null : before.name
  return from === null && changed.length === 0
    ? null
    : { kind: 'fieldChanged', field: after.name, from, parts: changed }
}

const fieldSubject = (dictionary: { name: string }, field: { name: string }): string =>
  `${dictionary.name}: ${field.name}`

/**
 * Throws 400 when the regular expressions of a dictionary would be too large together with that of `field`,
 * which is new or replaces the field `id`. A dictionary that is too large already may still shrink.
 */
async function refuseLargePatterns(
  { trx, id: dictionaryId }: DictionaryDraft,
  { rule }: Field,
  id: number | null,
): Promise<void> {
  if (rule.type !== 'pattern') return
  const patterns = await findPatterns(trx, dictionaryId)
  const others = patterns.filter((other) => other.id !== id).map(({ pattern }) => pattern)
  const size = patternsSize([...others, rule.pattern])
  if (size <= dictionaryLimits.maxPatternsSize || size < patternsSize(patterns.map(({ pattern }) => pattern)))
    return
  throw invalid('regularExpression', fieldMessages.patternInvalid(fieldMessages.patternsTooLarge))
}
