import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { markTokenRevoked } from '#companies/company-tokens.ts'
import { recordAudit } from '#audit/record-audit.ts'

/**
 * Revokes a token: its next call is a 401, its present ones are cut. Throws 404 unless the company has it and
 * it was not revoked.
 */
export async function revokeCompanyToken(
  companyId: number,
  id: number,
  deps: Pick<Deps, 'db' | 'bus' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const token = await markTokenRevoked(trx, companyId, id)
    if (!token) throw notFound('Token')
    await deps.bus.publishEnd({ tokenId: id }, trx)
    await recordAudit({ action: 'token.revoked', subject: token.name, companyId }, trx, deps)
  })
}
