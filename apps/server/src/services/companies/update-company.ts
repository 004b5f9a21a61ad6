import type { CompanyForm } from '@veridict/contract/forms/company'
import { companyMessages } from '@veridict/contract/messages/companies'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { conflict, notFound } from '#errors.ts'
import { changeCompany, hasIngestedFiles, lockCompany } from '#repositories/companies.ts'
import { companyEtag, refuseStale } from '#services/etags.ts'

/**
 * 409 when the name or folder is taken, when someone else changed the company since the ETag `version` was read, and
 * when the storage folder would change after files were ingested into it (not even its case: most file
 * systems tell the two apart).
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
