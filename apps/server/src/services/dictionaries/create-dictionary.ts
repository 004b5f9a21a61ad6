import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { createDictionary as create } from '#repositories/dictionary-drafts.ts'

/** Makes a dictionary without fields; answers its id. Throws 409 when the name is taken. */
export const createDictionary = (name: string, userId: number, deps: Pick<Deps, 'db'>): Promise<number> =>
  inTransaction(deps.db, (trx) => create(trx, name, userId, { kind: 'created' }))
