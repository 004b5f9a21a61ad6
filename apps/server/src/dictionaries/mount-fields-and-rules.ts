import { isDeepStrictEqual } from 'node:util'
import * as endpoints from '@veridict/contract/api/fields'
import * as ruleBookEndpoints from '@veridict/contract/api/rule-book'
import { dictionaryLimits, fileGuards, ruleBookLimits } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { rowRuleMessages } from '@veridict/contract/messages/row-rules'
import { jsonError } from '@veridict/contract/model/cell-error'
import type { DictionaryChange, FieldPart } from '@veridict/contract/model/dictionary-change'
import { type Field, partsOf } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { utcDay } from '@veridict/contract/notation/utc-day'
import { patternsSize } from '@veridict/engine'
import { changes, onlyAfter, onlyBefore, recordAudit } from '#audit/record-audit.ts'
import { askValidator, checkField } from '#dictionaries/check-fields.ts'
import { changeDictionary, type DictionaryDraft } from '#dictionaries/dictionary-drafts.ts'
import { readDictionary } from '#dictionaries/dictionaries.ts'
import { compareOrder, orderOf } from '#dictionaries/field-order.ts'
import {
  appendField,
  changeField,
  countFields,
  deleteFieldRow,
  findFieldOrder,
  findFields,
  findForeignFieldIds,
  findPatterns,
  placeFields,
  readField,
  type StoredField,
} from '#dictionaries/fields.ts'
import { presentField } from '#dictionaries/present-field.ts'
import {
  checkTried,
  countRuleFailures,
  prepareRules,
  readRuleBook,
  saveRuleBook,
} from '#dictionaries/rule-books.ts'
import { conflict, invalid, notFound } from '#errors.ts'
import { fieldEtag, refuseStale, ruleBookEtag } from '#platform/etags.ts'
import { mountCalls, WithMessage } from '#platform/http/mount.ts'
import { readPage } from '#platform/page.ts'

const calls = { ...endpoints, ...ruleBookEndpoints }

export const mountFieldsAndRules = mountCalls(calls, {
  async listFields({ params: { id }, query, deps: { db } }) {
    await readDictionary(db, id)
    return readPage(findFields(db, id, query), presentFieldItem, query)
  },

  /** 400 for a faulty rule, 409 when the dictionary has a field of that name or no room. */
  async createField({ body, deps }) {
    const field = await checkField(body, deps)
    const { dataDictionaryId } = body
    return changeDictionary(deps, dataDictionaryId, async (draft) => {
      const { trx } = draft
      // A worksheet cannot have more columns, so no workbook could fit the dictionary.
      const isFull = (await countFields(trx, dataDictionaryId)) >= fileGuards.maxColumns
      if (isFull) throw conflict(fieldMessages.tooMany(fileGuards.maxColumns))
      await refuseLargePatterns(draft, field, null)
      const id = await appendField(draft, field)
      const about = { subject: fieldSubject(draft, field), detail: onlyAfter(partsOf(field)) }
      await recordAudit({ action: 'field.created', ...about }, trx, deps)
      return { result: { id }, change: { kind: 'fieldAdded', field: field.name } }
    })
  },

  async readField({ params: { id }, deps: { db } }) {
    return presentFieldDetail(await readField(db, id))
  },

  /**
   * 400 for a faulty rule; 404 also if the field is not of `dataDictionaryId`; 409 for a taken name, a change
   * by someone else since the ETag `version` was read, or rules that need the field as it was.
   */
  async updateField({ params: { id }, body, deps }) {
    const field = await checkField(body, deps, async (pattern) => {
      const { rule } = await readField(deps.db, id)
      return rule.type === 'pattern' && rule.pattern === pattern
    })
    const present = await readField(deps.db, id)
    const { dictionaryId } = present
    if (body.dataDictionaryId !== undefined && body.dataDictionaryId !== dictionaryId) throw notFound('Field')
    const storeRules = await prepareRules(dictionaryId, { before: present, after: field }, deps)
    return changeDictionary(deps, dictionaryId, async (draft) => {
      const { trx } = draft
      // Read again, because from here on the draft keeps others from changing it.
      const before = await readField(trx, id)
      refuseStale(body.version, fieldEtag(before))
      await refuseLargePatterns(draft, field, id)
      await storeRules(draft)
      const after = await changeField(draft, id, field)
      const change = fieldChange(before, after)
      const detail = changes(partsOf(before), partsOf(after))
      const about = { subject: fieldSubject(draft, before), detail }
      if (change !== null) await recordAudit({ action: 'field.updated', ...about }, trx, deps)
      return { change, result: presentFieldDetail(after) }
    })
  },

  /** Earlier submissions keep it in their version. 409 if rules name it. */
  async deleteField({ params: { id: dictionaryId, itemId: id }, deps }) {
    const present = await readField(deps.db, id)
    const storeRules = await prepareRules(dictionaryId, { before: present, after: null }, deps)
    return changeDictionary(deps, dictionaryId, async (draft) => {
      const { trx } = draft
      const field = await readField(trx, id)
      await storeRules(draft)
      await deleteFieldRow(draft, id)
      const about = { subject: fieldSubject(draft, field), detail: onlyBefore(partsOf(field)) }
      await recordAudit({ action: 'field.deleted', ...about }, trx, deps)
      return { change: { kind: 'fieldDeleted', field: field.name }, result: undefined }
    })
  },

  /** 400 unless the list has every field once with positions 1 to n; 409 if fields or order changed since. */
  async reorderFields({ params: { id: dictionaryId }, body: { itemPositionList, seenOrder }, deps }) {
    const incomplete = () => invalid('itemPositionList', fieldMessages.orderIncomplete)
    const ids = orderOf(itemPositionList)
    if (!ids) throw incomplete()
    return changeDictionary(deps, dictionaryId, async (draft) => {
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
  },

  readRuleBook: async ({ params: { id }, deps: { db } }) => presentRuleBook(await readRuleBook(db, id)),

  async saveRuleBook({ params: { id }, body, deps }) {
    const saved = await saveRuleBook(id, body, deps)
    return new WithMessage(presentRuleBook(saved), rowRuleMessages.saved)
  },

  async readRuleFailures({ params: { id }, deps: { db } }) {
    await readDictionary(db, id)
    const days = ruleBookLimits.failureDays
    return { days, rules: await countRuleFailures(db, id, days) }
  },

  async tryRow({ params: { id }, body: { row, ...request }, deps }) {
    const { fields, ruleBook } = await checkTried(id, request, deps)
    const dated = { ...ruleBook, day: utcDay(deps.clock.now()) }
    const asked = { fields, ruleBook: dated, row }
    const tried = await askValidator(() => deps.validator.run('tryRow', asked), deps)
    return { errors: tried.errors.map(jsonError), warnings: tried.warnings.map(jsonError) }
  },
})

const presentRuleBook = (book: RuleBook) => ({ ...book, version: ruleBookEtag(book) })

const presentFieldItem = (field: StoredField): endpoints.FieldItem => ({
  id: field.id,
  ...presentField(field),
  position: field.position,
})

const presentFieldDetail = (field: StoredField): endpoints.FieldDetail => ({
  id: field.id,
  ...presentField(field),
  version: fieldEtag(field),
})

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
 * Throws 400 if all regular expressions are too large with that of `field`, which is new or replaces `id`. A
 * dictionary that is too large already may still shrink.
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
