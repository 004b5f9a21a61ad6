import type { WebhookForm } from '@veridict/contract/forms/webhook'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { invalid, notFound } from '#errors.ts'
import { lockCompany } from '#companies/companies.ts'
import { deleteWebhook, findWebhook, putWebhook } from '#webhooks/webhooks.ts'
import { changes } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'

type Needs = Pick<Deps, 'db' | 'ids' | 'tokens' | 'webhooks' | 'caller'>

/**
 * Sets a company's webhook, with a new secret that only this result has, or removes it. Throws 404, and 400
 * for an address where nothing may be sent.
 */
export async function setWebhook(
  companyId: number,
  { url }: WebhookForm,
  deps: Needs,
): Promise<{ url: string | null; secret: string | null }> {
  const refusal = url === null ? null : await deps.webhooks.refusalOf(url)
  const secretSalt = deps.ids.secret()
  await inTransaction(deps.db, async (trx) => {
    const company = await lockCompany(trx, companyId)
    if (!company) throw notFound('Company')
    if (refusal !== null) throw invalid('url', refusal)
    const before = await findWebhook(trx, companyId)
    if (url === null) await deleteWebhook(trx, companyId)
    else await putWebhook(trx, { companyId, url, secretSalt })
    const detail = changes({ sentTo: originOf(before?.url ?? null) }, { sentTo: originOf(url) })
    await recordAudit({ action: 'webhook.set', subject: company.name, companyId, detail }, trx, deps)
  })
  return { url, secret: url === null ? null : deps.tokens.webhookSecret(secretSalt) }
}

/** Removes path and query, which may hold a secret of the receiver. */
const originOf = (url: string | null): string | null => (url === null ? null : new URL(url).origin)
