import type { WebhookTestEvent } from '@veridict/contract/api/webhooks'
import type { WebhookForm } from '@veridict/contract/forms/webhook'
import { changes, recordAudit } from '#audit/record-audit.ts'
import { lockCompany } from '#companies/companies.ts'
import { readCompany } from '#companies/read-companies.ts'
import type { Deps } from '#deps.ts'
import { found, invalid } from '#errors.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { sendWebhook } from '#webhooks/deliver-webhooks.ts'
import {
  countWaitingDeliveries,
  deleteWebhook,
  findWebhook,
  putWebhook,
  type WaitingDeliveries,
} from '#webhooks/webhooks.ts'

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
  const unsealed = { secretSalt: deps.ids.secret(), sealedSecret: null }
  const secret = { ...unsealed, sealedSecret: deps.tokens.sealedAgain(unsealed) }
  await inTransaction(deps.db, async (trx) => {
    const company = await found(lockCompany(trx, companyId), 'Company')
    if (refusal !== null) throw invalid('url', refusal)
    const before = await findWebhook(trx, companyId)
    if (url === null) await deleteWebhook(trx, companyId)
    else await putWebhook(trx, { companyId, url, ...secret })
    const detail = changes({ sentTo: originOf(before?.url ?? null) }, { sentTo: originOf(url) })
    await recordAudit({ action: 'webhook.set', subject: company.name, companyId, detail }, trx, deps)
  })
  return { url, secret: url === null ? null : deps.tokens.webhookSecret(secret) }
}

/** Removes path and query, which may hold a secret of the receiver. */
const originOf = (url: string | null): string | null => (url === null ? null : new URL(url).origin)

/** Sends one message of type `webhook.test` now. Throws 404 without a webhook. */
export async function testWebhook(
  companyId: number,
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'tokens' | 'webhooks'>,
): Promise<{ status: number | null; problem: string | null }> {
  // In a transaction, although it only reads: it asks for the caller's authority before anything is sent.
  const webhook = await inTransaction(deps.db, async (trx) => {
    await readCompany(companyId, { db: trx })
    return found(findWebhook(trx, companyId), 'Webhook')
  })
  const timestamp = deps.clock.now().toISOString()
  const event: WebhookTestEvent = { type: 'webhook.test', timestamp, data: {} }
  const message = { messageId: `msg_${deps.ids.uuid()}`, body: JSON.stringify(event) }
  const response = await sendWebhook(webhook, message, deps)
  return 'status' in response
    ? { status: response.status, problem: null }
    : { status: null, problem: response.problem }
}
