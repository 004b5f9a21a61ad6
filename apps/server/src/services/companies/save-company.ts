import type { CompanyForm } from '@veridict/contract/forms/company'
import { companyMessages } from '@veridict/contract/messages/companies'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { conflict, notFound } from '#errors.ts'
import { changeCompany, hasIngestedFiles, insertCompany, lockCompany } from '#repositories/companies.ts'
import { companyEtag, refuseStale } from '#services/etags.ts'

/** Returns the id. 409 if the name or the storage folder is in use; deleted companies keep their folders. */
export const createCompany = (form: CompanyForm, { db }: Pick<Deps, 'db'>): Promise<number> =>
  insertCompany(db, form)

/**
 * 409 if the name or folder is in use, if the company was changed since `version` was read, or if the storage
 * folder would change after files were ingested into it (also by letter case: most file systems distinguish
 * it).
 */
export async function updateCompany(
  id: number,
  { version: etag, ...form }: CompanyForm & { version?: string | null },
  deps: Pick<Deps, 'db'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const company = await lockCompany(trx, id)
    if (!company) throw notFound('Company')
    refuseStale(etag, companyEtag(company))
    const movesFolder = form.containerName !== company.storageFolder
    if (movesFolder && (await hasIngestedFiles(trx, id))) throw conflict(companyMessages.storageFolderInUse)
    await changeCompany(trx, id, form)
  })
}
