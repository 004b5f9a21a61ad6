import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { deleteAssociation, touchCompany } from '#repositories/companies.ts'

/**
 * Takes a dictionary from a company; earlier submissions stay. Throws 404 when the two are not associated.
 */
export async function dissociateDictionary(
  companyId: number,
  dictionaryId: number,
  deps: Pick<Deps, 'db'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await touchCompany(trx, companyId))) throw notFound('Company')
    if (!(await deleteAssociation(trx, companyId, dictionaryId))) throw notFound('Data dictionary')
  })
}
