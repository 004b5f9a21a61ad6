import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { holdDictionary, insertDictionary } from '#repositories/dictionaries.ts'
import { copyFields } from '#repositories/fields.ts'

/** Makes a dictionary with the same fields under another name; answers its id. Throws 409 when the name is taken. */
export async function copyDictionary(id: number, name: string, userId: number, deps: Pick<Deps, 'db'>): Promise<number> {
  return inTransaction(deps.db, async (trx) => {
    if (!(await holdDictionary(trx, id))) throw notFound('Data dictionary')
    const copyId = await insertDictionary(trx, name, userId)
    await copyFields(trx, id, copyId)
    return copyId
  })
}
