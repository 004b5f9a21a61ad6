import type { CompanyForm } from '@veridict/contract/forms/company'
import { companyMessages } from '@veridict/contract/messages/companies'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { conflict, notFound } from '#errors.ts'
import { changeCompany, hasIngestedFiles, insertCompany, lockCompany } from '#companies/companies.ts'
import { changes, onlyAfter } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { companyEtag, refuseStale } from '#platform/etags.ts'

/** Returns the id. 409 if the name or the storage folder is in use; deleted companies keep their folders. */
export function createCompany(form: CompanyForm, deps: Pick<Deps, 'db' | 'caller'>): Promise<number> {
  return inTransaction(deps.db, async (trx) => {
    const companyId = await insertCompany(trx, form)
    const detail = onlyAfter(audited(form))
    await recordAudit({ action: 'company.created', subject: form.name, companyId, detail }, trx, deps)
    return companyId
  })
}

/**
 * 409 if the name or folder is in use, if the company was changed since `version` was read, or if the storage
 * folder would change after files were ingested into it (also by letter case: most file systems distinguish
 * it).
 */
export async function updateCompany(
  id: number,
  { version: etag, ...form }: CompanyForm & { version?: string | null },
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const company = await lockCompany(trx, id)
    if (!company) throw notFound('Company')
    refuseStale(etag, companyEtag(company))
    const movesFolder = form.containerName !== company.storageFolder
    if (movesFolder && (await hasIngestedFiles(trx, id))) throw conflict(companyMessages.storageFolderInUse)
    await changeCompany(trx, id, form)
    const before = audited({ ...company, containerName: company.storageFolder })
    const detail = changes(before, audited(form))
    await recordAudit({ action: 'company.updated', subject: company.name, companyId: id, detail }, trx, deps)
  })
}

const audited = ({ name, containerName, address }: CompanyForm) => ({
  name,
  storageFolder: containerName,
  address,
})
