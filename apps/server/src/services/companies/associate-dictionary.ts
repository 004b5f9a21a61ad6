import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { insertAssociation, touchCompany } from '#repositories/companies.ts'
import { lockDictionaryForShare } from '#repositories/dictionaries.ts'

/**
 * Lets a company use a dictionary. Throws 404 when either does not exist, 409 when they are associated
 * already.
 */
export async function associateDictionary(
  companyId: number,
  dictionaryId: number,
  deps: Pick<Deps, 'db'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await touchCompany(trx, companyId))) throw notFound('Company')
    if (!(await lockDictionaryForShare(trx, dictionaryId))) throw notFound('Data dictionary')
    await insertAssociation(trx, companyId, dictionaryId)
  })
}
