import type { DictionaryChange } from '@veridict/contract/model/dictionary-change'
import type { Field } from '@veridict/contract/model/field'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { createDictionary } from '#repositories/dictionary-drafts.ts'
import { insertFields } from '#repositories/fields.ts'

/** A dictionary to be made; its fields are checked already. */
export type NewDictionary = { name: string; fields: readonly Field[]; change: DictionaryChange }

/** Makes a dictionary with its fields, all or nothing; returns its id. Throws 409 when the name is taken. */
export const createWithFields = (
  { name, fields, change }: NewDictionary,
  userId: number,
  deps: Pick<Deps, 'db'>,
): Promise<number> =>
  inTransaction(deps.db, (trx) =>
    createDictionary(trx, name, userId, change, (draft) => insertFields(draft, fields)),
  )
