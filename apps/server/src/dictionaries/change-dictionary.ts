import type { AuditValues } from '@veridict/contract/model/audit-action'
import type { DictionaryChange } from '@veridict/contract/model/dictionary-change'
import type { Field } from '@veridict/contract/model/field'
import { emptyRuleBook, type RuleBook } from '@veridict/contract/model/row-rule'
import { changes, onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { allProblems, askValidator } from '#dictionaries/check-patterns.ts'
import { checkedFields } from '#dictionaries/check-field.ts'
import { lockDictionary, lockDictionaryForShare, markDictionaryDeleted } from '#dictionaries/dictionaries.ts'
import {
  actorId,
  changeDictionary,
  createDictionary as createDraft,
  renameDraft,
} from '#dictionaries/dictionary-drafts.ts'
import { copyFields, insertFields } from '#dictionaries/fields.ts'
import {
  checkRequest,
  copyRuleBook,
  hasParts,
  type RuleBookRequest,
  storeRuleBook,
} from '#dictionaries/rule-books.ts'
import { found } from '#errors.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { dictionaryEtag, refuseStale } from '#platform/etags.ts'

type Needs = Pick<Deps, 'db' | 'validator' | 'log' | 'caller'>

/** A dictionary as a request contains it: its fields and rules are not checked yet. */
type DictionaryRequest = RuleBookRequest & { name: string; items?: readonly Record<string, unknown>[] }

/**
 * Makes a dictionary with these fields and rules, or nothing; returns its id. Throws 400 with every problem
 * of the fields, each naming its field, or else of the rules, each under its place, and 409 when the name is
 * taken.
 */
export async function createDictionary(
  { name, items = [], ...rules }: DictionaryRequest,
  deps: Needs,
): Promise<number> {
  const fields = await checkedFields(items, deps)
  const ruleBook = hasParts(rules) ? await checkRequest(rules, emptyRuleBook, fields, deps) : emptyRuleBook
  return createWhole({ name, fields, ruleBook, change: { kind: 'created' } }, deps)
}

export type ImportedWorkbook = { fileName: string; bytes: Uint8Array }

/**
 * Makes a new dictionary from a workbook, or nothing; returns its id. Throws 400 with every problem of the
 * workbook, each naming its cell, 409 when the name is taken, and 503 when it could not be read.
 */
export async function importDictionary(
  name: string,
  workbook: ImportedWorkbook,
  deps: Needs,
): Promise<number> {
  // In another process, because a workbook of a megabyte can contain regular expressions that take seconds to
  // compile.
  const read = await askValidator(() => deps.validator.readDictionary(workbook), deps)
  if (read.kind === 'problems') throw allProblems(read.problems)
  const change = { kind: 'imported', fileName: workbook.fileName } as const
  return createWhole({ name, fields: read.fields, ruleBook: read.ruleBook, change }, deps)
}

/** A new dictionary whose fields and rules are already checked. */
type NewDictionary = {
  name: string
  fields: readonly Field[]
  ruleBook: RuleBook
  change: DictionaryChange
}

/** Makes a dictionary, whole or not at all; returns its id. Throws 409 when the name is taken. */
const createWhole = (
  { name, fields, ruleBook, change }: NewDictionary,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<number> =>
  inTransaction(deps.db, async (trx) => {
    const id = await createDraft(trx, name, actorId(deps), change, async (draft) => {
      await insertFields(draft, fields)
      await storeRuleBook(draft, ruleBook)
    })
    const importedFrom = change.kind === 'imported' ? change.fileName : null
    const [fieldNames, ruleNames] = [fields, ruleBook.rules].map((named) => named.map((one) => one.name))
    const rules: AuditValues = ruleNames.length > 0 ? { rules: ruleNames } : {}
    const detail = onlyAfter({ name, importedFrom, fields: fieldNames, ...rules })
    await recordAudit({ action: 'dictionary.created', subject: name, detail }, trx, deps)
    return id
  })

/**
 * Makes a dictionary with the same fields under another name; returns its id. Throws 409 when the name is
 * taken.
 */
export async function copyDictionary(
  id: number,
  name: string,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<number> {
  return inTransaction(deps.db, async (trx) => {
    const original = await found(lockDictionaryForShare(trx, id), 'Data dictionary')
    const change = { kind: 'copied', from: original.name } as const
    const copyId = await createDraft(trx, name, actorId(deps), change, async (draft) => {
      await copyFields(draft, id)
      await copyRuleBook(draft, id)
    })
    const detail = onlyAfter({ name, copyOf: original.name })
    await recordAudit({ action: 'dictionary.created', subject: name, detail }, trx, deps)
    return copyId
  })
}

/** Throws 409 when the name is taken, or when it was renamed since the ETag `version` was read. */
export async function renameDictionary(
  id: number,
  { name, version: etag }: { name: string; version?: string | null },
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  await changeDictionary(deps, id, async (draft) => {
    refuseStale(etag, dictionaryEtag(draft))
    await renameDraft(draft, name)
    if (name === draft.name) return { change: null, result: undefined }
    const detail = changes({ name: draft.name }, { name })
    await recordAudit({ action: 'dictionary.updated', subject: draft.name, detail }, draft.trx, deps)
    return { change: { kind: 'renamed', from: draft.name }, result: undefined }
  })
}

/**
 * Deletes a dictionary softly and removes it from its companies; history and reports still use its versions.
 */
export async function deleteDictionary(id: number, deps: Pick<Deps, 'db' | 'caller'>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const dictionary = await found(lockDictionary(trx, id), 'Data dictionary')
    await markDictionaryDeleted(trx, id, actorId(deps))
    await recordAudit({ action: 'dictionary.deleted', subject: dictionary.name }, trx, deps)
  })
}
