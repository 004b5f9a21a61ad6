import type { DictionaryChange } from '@veridict/contract/model/dictionary-change'
import type { Field } from '@veridict/contract/model/field'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { createDictionary } from '#dictionaries/dictionary-drafts.ts'
import { insertFields } from '#dictionaries/fields.ts'
import { onlyAfter } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'

/** A new dictionary whose fields are already checked. */
export type NewDictionary = { name: string; fields: readonly Field[]; change: DictionaryChange }

/** Makes a dictionary with its fields, or nothing; returns its id. Throws 409 when the name is taken. */
export const createWithFields = (
  { name, fields, change }: NewDictionary,
  userId: number,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<number> =>
  inTransaction(deps.db, async (trx) => {
    const id = await createDictionary(trx, name, userId, change, (draft) => insertFields(draft, fields))
    const importedFrom = change.kind === 'imported' ? change.fileName : null
    const detail = onlyAfter({ name, importedFrom, fields: fields.map((field) => field.name) })
    await recordAudit({ action: 'dictionary.created', subject: name, detail }, trx, deps)
    return id
  })
