import type { WebhookTestEvent } from '@veridict/contract/api/webhooks'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { findWebhook } from '#webhooks/webhooks.ts'
import { readCompany } from '#companies/read-companies.ts'
import { sendWebhook } from '#webhooks/send-webhook.ts'

/** Sends one message of type `webhook.test` now. Throws 404 without a webhook. */
export async function testWebhook(
  companyId: number,
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'tokens' | 'webhooks'>,
): Promise<{ status: number | null; problem: string | null }> {
  // In a transaction, although it only reads: it asks for the caller's authority before anything is sent.
  const webhook = await inTransaction(deps.db, async (trx) => {
    await readCompany(companyId, { db: trx })
    return findWebhook(trx, companyId)
  })
  if (!webhook) throw notFound('Webhook')
  const timestamp = deps.clock.now().toISOString()
  const event: WebhookTestEvent = { type: 'webhook.test', timestamp, data: {} }
  const message = { messageId: `msg_${deps.ids.uuid()}`, body: JSON.stringify(event) }
  const response = await sendWebhook(webhook, message, deps)
  return 'status' in response
    ? { status: response.status, problem: null }
    : { status: null, problem: response.problem }
}
