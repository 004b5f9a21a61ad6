import type { WebhookDeliveryRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { claimDeliveries, delayDelivery, findWebhook, markDelivered } from '#repositories/webhooks.ts'
import { isDelivered, sendWebhook } from '#services/webhooks/send-webhook.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'tokens' | 'webhooks' | 'log' | 'tracing'>

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds until the next attempt; about a day together. */
const DELAYS = [
  3,
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  10 * HOUR,
] as const

/** Companies that are sent to at once. */
const MAX_AT_ONCE = 20

/** After this a run ends, and the next one continues: otherwise runs would pile up behind slow receivers. */
const MAX_RUN_MILLISECONDS = 3_000

/**
 * Sends messages of the outbox that are due. Any number of workers may run it, also several times at once. A
 * message is marked after the receiver has taken it, so a crash in between sends it again, with the same id,
 * and none is lost.
 */
export async function deliverWebhooks(deps: Needs): Promise<void> {
  const end = performance.now() + MAX_RUN_MILLISECONDS
  while (performance.now() < end) {
    const claimed = await claimDeliveries(deps.db, MAX_AT_ONCE)
    if (claimed.length === 0) return
    await Promise.all(claimed.map((delivery) => deliver(delivery, deps)))
  }
}

async function deliver(delivery: WebhookDeliveryRow, deps: Needs): Promise<void> {
  const { id, companyId, attempts, traceparent } = delivery
  const webhook = await findWebhook(deps.db, companyId)
  if (webhook === undefined) return delayDelivery(deps.db, id, null, 'there is no webhook any more')
  const response = await deps.tracing.resume(traceparent, { name: 'send webhook', kind: 'client' }, () =>
    sendWebhook(webhook, delivery, deps),
  )
  if (isDelivered(response)) return markDelivered(deps.db, id)
  const problem = 'status' in response ? `status ${response.status}` : response.problem
  const seconds = DELAYS[attempts - 1] ?? null
  await delayDelivery(deps.db, id, seconds, problem.slice(0, 500))
  const message = seconds === null ? 'a webhook failed for a day and is given up' : 'a webhook failed'
  deps.log.warn({ deliveryId: id, companyId, attempts, problem }, message)
}
