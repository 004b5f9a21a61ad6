import type { CompanyDeletion } from '@veridict/contract/api/companies'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { lockCompany, markCompanyDeleted, markCompanyUsersDeleted } from '#companies/companies.ts'
import { markTokensRevoked } from '#companies/company-tokens.ts'
import { countCompanyFiles, countCompanyMembers } from '#platform/database/deletion-counts.ts'
import { deleteWebhook } from '#webhooks/webhooks.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { readCompany } from '#companies/read-companies.ts'

/** What `deleteCompany` would delete, and what would stay. 404 if there is no such company. */
export async function previewCompanyDeletion(id: number, deps: Pick<Deps, 'db'>): Promise<CompanyDeletion> {
  const { storageFolder } = await readCompany(id, deps)
  const [members, files] = await Promise.all([
    countCompanyMembers(deps.db, id),
    countCompanyFiles(deps.db, id),
  ])
  return { containerName: storageFolder, ...members, ...files }
}

/**
 * Deletes a company and its users softly, and revokes its tokens. Their sessions end, their sockets and
 * calls are cut; names and e-mail addresses can be used again, the storage folder cannot, and its files stay.
 * 404 if there is no such company.
 */
export async function deleteCompany(id: number, deps: Pick<Deps, 'db' | 'bus' | 'caller'>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const company = await lockCompany(trx, id)
    if (!company) throw notFound('Company')
    await markCompanyDeleted(trx, id)
    await deleteWebhook(trx, id)
    const about = { companyId: id, subject: company.name }
    await recordAudit({ action: 'company.deleted', ...about }, trx, deps)
    for (const user of await markCompanyUsersDeleted(trx, id)) {
      await deps.bus.publishEnd({ userId: user.id }, trx)
      await recordAudit({ action: 'user.deleted', companyId: id, subject: user.email }, trx, deps)
    }
    for (const token of await markTokensRevoked(trx, id)) {
      await deps.bus.publishEnd({ tokenId: token.id }, trx)
      await recordAudit({ action: 'token.revoked', companyId: id, subject: token.name }, trx, deps)
    }
  })
}
