import { isDeepStrictEqual } from 'node:util'
import type { AuditValues } from '@veridict/contract/model/audit-action'
import { brokenRules, type CheckedRuleBook } from '@veridict/contract/model/check-rule-book'
import type { DictionaryChange } from '@veridict/contract/model/dictionary-change'
import type { Field } from '@veridict/contract/model/field'
import { emptyRuleBook, type Exemption, type RowRule, type RuleBook } from '@veridict/contract/model/row-rule'
import { rowRuleMessages } from '@veridict/contract/messages/row-rules'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { conditionText, ruleSentence } from '@veridict/contract/notation/rule-sentence'
import { changes, onlyAfter, onlyBefore, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { askValidator, checkFields, refusal } from '#dictionaries/check-fields.ts'
import { changeDictionary, type DictionaryDraft } from '#dictionaries/dictionary-drafts.ts'
import { findAllFields } from '#dictionaries/fields.ts'
import { readDictionary } from '#dictionaries/dictionaries.ts'
import { conflict } from '#errors.ts'
import { refuseStale, ruleBookEtag } from '#platform/etags.ts'
import type { Db } from '#platform/database/tables.ts'
import { rowsOf } from '#platform/database/rows.ts'

type Needs = Pick<Deps, 'db' | 'validator' | 'log' | 'caller'>

/** Parts of a rule book as a request contains them, not checked yet; one that is left out is as saved. */
export type RuleBookRequest = { readonly [Part in keyof RuleBook]?: unknown }

/** Without parts that say nothing. Only an exemption can be null: there is none. */
const givenParts = (request: RuleBookRequest): [string, unknown][] =>
  Object.entries(request).filter(([name, part]) => (name === 'exempt' ? part !== undefined : part != null))

export const hasParts = (request: RuleBookRequest): boolean => givenParts(request).length > 0

/** The rule book of a dictionary; the empty one if it has none. */
export async function findRuleBook(db: Db, dictionaryId: number): Promise<RuleBook> {
  const row = await db
    .selectFrom('dictionaries')
    .innerJoin('ruleBooks', 'ruleBooks.id', 'dictionaries.ruleBookId')
    .where('dictionaries.id', '=', dictionaryId)
    .select('ruleBooks.content')
    .executeTakeFirst()
  return row?.content ?? emptyRuleBook
}

/** Throws 404 when there is no such dictionary. */
export async function readRuleBook(db: Db, dictionaryId: number): Promise<RuleBook> {
  await readDictionary(db, dictionaryId)
  return findRuleBook(db, dictionaryId)
}

/**
 * Replaces the given parts, with `alsoDo` in the same transaction. Throws 400 with every fault under its
 * place, 404, and 409 if rules changed since the ETag `version` was read, or fields meanwhile.
 */
export async function saveRuleBook(
  dictionaryId: number,
  { version, ...request }: RuleBookRequest & { version?: string | null },
  deps: Needs,
  alsoDo: (draft: DictionaryDraft) => Promise<void> = async () => {},
): Promise<RuleBook> {
  const before = await readRuleBook(deps.db, dictionaryId)
  const fields = await findAllFields(deps.db, dictionaryId)
  const after = await checkRequest(request, before, fields, deps)
  return changeDictionary(deps, dictionaryId, async (draft) => {
    refuseStale(version, ruleBookEtag(before))
    await refuseChanged(draft, before, fields)
    const change = await changeRuleBook(draft, before, after, deps)
    await alsoDo(draft)
    // As it is read from now on: PostgreSQL orders the keys of JSON, which the ETag depends on.
    return { change, result: await findRuleBook(draft.trx, dictionaryId) }
  })
}

/** A dictionary as a request says that it would be, not checked yet; a part that is left out is as saved. */
export type TriedRequest = RuleBookRequest & { fields?: readonly Record<string, unknown>[] }
export type TriedDictionary = { fields: readonly Field[]; ruleBook: RuleBook }

/**
 * Refuses what saving would: 400 with every fault, 404, and 409 if only fields are given and rules do not
 * survive them. Rules follow one changed field, as when it is saved.
 */
export async function checkTried(
  dictionaryId: number,
  { fields: items, ...request }: TriedRequest,
  deps: Needs,
): Promise<TriedDictionary> {
  const saved = await readRuleBook(deps.db, dictionaryId)
  const present = await findAllFields(deps.db, dictionaryId)
  const fields = items === undefined ? present : await checkFields(items, deps)
  if (hasParts(request)) return { fields, ruleBook: await checkRequest(request, saved, fields, deps) }
  return { fields, ruleBook: await followFields(saved, fields, deps, onlyChange(present, fields)) }
}

/** The field that another one replaces at its place, if that is all that differs. */
function onlyChange(before: readonly Field[], after: readonly Field[]) {
  const changed = before.flatMap((field, at) =>
    isDeepStrictEqual(field, after[at]) ? [] : [{ before: field, after: after[at] }],
  )
  return before.length === after.length && changed.length === 1 ? changed[0] : undefined
}

/** Counts what the stored reports of the last days say of each rule, by its name. */
export const countRuleFailures = (db: Db, dictionaryId: number, days: number) =>
  rowsOf<{ name: string; files: number; cells: number }>(db)`
    select cause ->> 'rule' as name, count(distinct submission_id)::integer as files,
      sum((cause ->> 'cells')::integer)::integer as cells
    from (
      select submission_id, cause from submission_causes
      union all select submission_id, cause from submission_warnings
    ) as causes
      join submissions on submissions.id = submission_id
      join dictionary_versions on dictionary_versions.id = dictionary_version_id
    where dictionary_id = ${dictionaryId} and cause ->> 'kind' = 'rule'
      and submissions.created_at > now() - make_interval(days => ${days})
    group by 1`

/** A change of a field: `after` is null if it is deleted. */
type FieldChange = { before: Field; after: Field | null }

/**
 * Rules follow a new name, their constants a new date format. Returns what stores them, to be called before
 * the field is stored. Throws 409, which names the rules that would break; so does that function, if others
 * changed rules or fields meanwhile.
 */
export async function prepareRules(
  dictionaryId: number,
  { before, after }: FieldChange,
  deps: Needs,
): Promise<(draft: DictionaryDraft) => Promise<void>> {
  const book = await findRuleBook(deps.db, dictionaryId)
  if (isDeepStrictEqual(book, emptyRuleBook)) return (draft) => refuseChanged(draft, book, null)
  const fields = await findAllFields(deps.db, dictionaryId)
  const changed = fields.flatMap((field) => (field.name !== before.name ? [field] : (after ?? [])))
  const followed = await followFields(book, changed, deps, after === null ? undefined : { before, after })
  return async (draft) => {
    await refuseChanged(draft, book, fields)
    await changeRuleBook(draft, book, followed, deps)
  }
}

/** The book with the fields as they will be. Throws 409, which names the rules that do not survive them. */
async function followFields(
  book: RuleBook,
  fields: readonly Field[],
  deps: Pick<Needs, 'validator' | 'log'>,
  changed?: { before: Field; after: Field },
): Promise<RuleBook> {
  const checked = await checkBook(book, fields, deps, changed)
  if (!checked.ok) throw conflict(rowRuleMessages.brokenByChange(brokenRules(checked.faults, book)))
  return checked.book
}

/** Throws 409 when the rules, or the fields that they were checked with, are not those that were read. */
async function refuseChanged(
  { trx, id }: DictionaryDraft,
  book: RuleBook,
  fields: readonly Field[] | null,
): Promise<void> {
  const isSame =
    isDeepStrictEqual(await findRuleBook(trx, id), book) &&
    (fields === null || isDeepStrictEqual(await findAllFields(trx, id), fields))
  if (!isSame) throw conflict(noticeMessages.changedMeanwhile)
}

/** Stores the book, unless it is the present one, and records each changed rule. Returns the change. */
async function changeRuleBook(
  draft: DictionaryDraft,
  before: RuleBook,
  after: RuleBook,
  deps: Pick<Needs, 'caller'>,
): Promise<DictionaryChange | null> {
  if (isDeepStrictEqual(before, after)) return null
  await storeRuleBook(draft, after)
  const [earlier, later] = [auditedParts(before), auditedParts(after)]
  // A rule in the place of one that is gone is that one with another name.
  for (const [place, { name }] of before.rules.entries()) {
    const next = after.rules[place]?.name
    if (next === undefined || later.has(name) || earlier.has(next)) continue
    earlier.set(next, { ...earlier.get(name), name }).delete(name)
    later.set(next, { ...later.get(next), name: next })
  }
  const names = [...new Set([...earlier.keys(), ...later.keys()])]
  const changed = names.filter((name) => !isDeepStrictEqual(earlier.get(name), later.get(name)))
  for (const name of changed) {
    const [from, to] = [earlier.get(name), later.get(name)]
    const subject = `${draft.name}: ${name}`
    if (from === undefined)
      await recordAudit({ action: 'rule.created', subject, detail: onlyAfter(to ?? {}) }, draft.trx, deps)
    else if (to === undefined)
      await recordAudit({ action: 'rule.deleted', subject, detail: onlyBefore(from) }, draft.trx, deps)
    else await recordAudit({ action: 'rule.updated', subject, detail: changes(from, to) }, draft.trx, deps)
  }
  return { kind: 'rulesChanged', parts: changed }
}

export async function storeRuleBook({ trx, id }: DictionaryDraft, book: RuleBook): Promise<void> {
  const stored = isDeepStrictEqual(book, emptyRuleBook) ? null : await insertRuleBook(trx, book)
  await trx.updateTable('dictionaries').set({ ruleBookId: stored }).where('id', '=', id).execute()
}

const insertRuleBook = async (db: Db, book: RuleBook): Promise<number> =>
  (
    await db
      .insertInto('ruleBooks')
      .values({ content: JSON.stringify(book) })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

/** A new dictionary gets the rule book of another one; both share its row. */
export async function copyRuleBook({ trx, id }: DictionaryDraft, fromDictionaryId: number): Promise<void> {
  const from = trx.selectFrom('dictionaries').where('id', '=', fromDictionaryId).select('ruleBookId')
  await trx.updateTable('dictionaries').set({ ruleBookId: from }).where('id', '=', id).execute()
}

/** Compiling a pattern can take a second, so a validator process checks. Throws 503 when it fails. */
const checkBook = (
  book: unknown,
  fields: readonly Field[],
  deps: Pick<Needs, 'validator' | 'log'>,
  changed?: { before: Field; after: Field },
): Promise<CheckedRuleBook> =>
  askValidator(() => deps.validator.run('checkRuleBook', { book, fields, changed }), deps)

/** The saved book with the parts of a request. Throws 400 with every fault under its place. */
export async function checkRequest(
  request: RuleBookRequest,
  saved: RuleBook,
  fields: readonly Field[],
  deps: Pick<Needs, 'validator' | 'log'>,
): Promise<RuleBook> {
  const given = Object.fromEntries(givenParts(request))
  const checked = await checkBook({ ...saved, ...given }, fields, deps)
  if (!checked.ok) throw refusal(checked.faults)
  return checked.book
}

/** What the audit trail names of a rule book, by the name that it has there. */
function auditedParts({ rules, exempt, blankTexts, lists }: RuleBook): Map<string, AuditValues> {
  const { exemption, blank } = rowRuleMessages.parts
  return new Map([
    ...rules.map((rule): [string, AuditValues] => [rule.name, auditedRule(rule)]),
    ...(exempt === null ? [] : [[exemption, auditedExemption(exempt)] as [string, AuditValues]]),
    ...(blankTexts.length === 0 ? [] : [[blank, { blankTexts }] as [string, AuditValues]]),
    ...lists.map(({ name, columns, rows }): [string, AuditValues] => [
      rowRuleMessages.parts.list(name),
      { columns, rows: rows.map((row) => row.join(', ')) },
    ]),
  ])
}

const auditedRule = (rule: RowRule): AuditValues => ({
  rule: ruleSentence(rule),
  description: rule.description ?? null,
  severity: rule.severity,
  from: rule.from ?? null,
})

const auditedExemption = ({ when, description }: Exemption): AuditValues => ({
  when: conditionText(when),
  description: description ?? null,
})
