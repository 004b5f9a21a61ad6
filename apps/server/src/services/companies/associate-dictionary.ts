import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { deleteAssociation, insertAssociation, touchCompany } from '#repositories/companies.ts'
import { lockDictionaryForShare } from '#repositories/dictionaries.ts'

/** Lets a company use a dictionary. 404 if either does not exist, 409 if they are associated already. */
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

/** Takes a dictionary from a company; earlier submissions stay. 404 if the two are not associated. */
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
