import type { Deps } from '#deps.ts'
import { findWebhook } from '#repositories/webhooks.ts'
import { readCompany } from '#services/companies/read-companies.ts'

/** The address of a company's webhook, or null. Throws 404 when there is no such company. */
export async function readWebhook(companyId: number, deps: Pick<Deps, 'db'>): Promise<string | null> {
  await readCompany(companyId, deps)
  return (await findWebhook(deps.db, companyId))?.url ?? null
}
