import type { Deps } from '#deps.ts'
import { countWaitingDeliveries, findWebhook, type WaitingDeliveries } from '#webhooks/webhooks.ts'
import { readCompany } from '#companies/read-companies.ts'

/** The address of a company's webhook, or null, and what waits for it. Throws 404 without such a company. */
export async function readWebhook(
  companyId: number,
  deps: Pick<Deps, 'db'>,
): Promise<{ url: string | null } & WaitingDeliveries> {
  await readCompany(companyId, deps)
  const [webhook, waiting] = await Promise.all([
    findWebhook(deps.db, companyId),
    countWaitingDeliveries(deps.db, companyId),
  ])
  return { url: webhook?.url ?? null, ...waiting }
}
