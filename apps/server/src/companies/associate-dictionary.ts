import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { deleteAssociation, insertAssociation, touchCompany } from '#companies/companies.ts'
import { lockDictionaryForShare } from '#dictionaries/dictionaries.ts'
import { recordAudit } from '#audit/record-audit.ts'

/** Lets a company use a dictionary. 404 if either does not exist, 409 if they are associated already. */
export async function associateDictionary(
  companyId: number,
  dictionaryId: number,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await touchCompany(trx, companyId))) throw notFound('Company')
    const dictionary = await lockDictionaryForShare(trx, dictionaryId)
    if (!dictionary) throw notFound('Data dictionary')
    await insertAssociation(trx, companyId, dictionaryId)
    const about = { subject: dictionary.name, companyId }
    await recordAudit({ action: 'dictionary.associated', ...about }, trx, deps)
  })
}

/** Removes a dictionary from a company; earlier submissions stay. 404 if the two are not associated. */
export async function dissociateDictionary(
  companyId: number,
  dictionaryId: number,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await touchCompany(trx, companyId))) throw notFound('Company')
    const dictionary = await lockDictionaryForShare(trx, dictionaryId)
    if (!dictionary || !(await deleteAssociation(trx, companyId, dictionaryId)))
      throw notFound('Data dictionary')
    await recordAudit({ action: 'dictionary.removed', subject: dictionary.name, companyId }, trx, deps)
  })
}
