import { setTimeout as sleep } from 'node:timers/promises'
import type { SubmissionFinalEvent } from '@veridict/contract/api/webhooks'
import { isFinal } from '@veridict/contract/model/submission-status'
import { Webhook } from 'standardwebhooks'
import type { Deps } from '#deps.ts'
import type { SubmissionRow, Trx, WebhookDeliveryRow, WebhookRow } from '#platform/database/tables.ts'
import type { WebhookResponse } from '#platform/webhooks/webhook-sender.ts'
import {
  addDelivery,
  claimDeliveries,
  delayDelivery,
  findWebhook,
  markDelivered,
} from '#webhooks/webhooks.ts'

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

/** Messages that a process sends at once, each to another company. */
const MAX_AT_ONCE = 20

/** While messages are being sent, others may become due, which must not wait for a slow receiver. */
const LOOK_MILLISECONDS = 250

/** Companies that share places, and what is being sent to them. */
type Places = { readonly hasFailed: boolean; readonly sending: Map<number, Promise<unknown>> }

/**
 * Until none is due or `stop` is aborted. A company has one place at most; those with a failed message have
 * places of their own, so that silent receivers delay no others. Any number of workers may run it. A message
 * is marked after the receiver has taken it: a crash repeats it, with the same id, and loses none.
 */
export async function deliverWebhooks(deps: Needs, stop?: AbortSignal): Promise<void> {
  const all: Places[] = [true, false].map((hasFailed) => ({ hasFailed, sending: new Map() }))
  const failures: unknown[] = []
  const sending = () => all.flatMap((places) => [...places.sending.values()])
  try {
    while (failures.length === 0 && !stop?.aborted) {
      for (const places of all) await fillPlaces(places, deps, failures)
      if (sending().length === 0) break
      await Promise.race([...sending(), sleep(LOOK_MILLISECONDS)])
    }
  } finally {
    await Promise.all(sending())
  }
  if (failures.length > 0) throw failures[0]
}

/** Claims as many messages as places are free, and begins to send them. */
async function fillPlaces({ hasFailed, sending }: Places, deps: Needs, failures: unknown[]): Promise<void> {
  const limit = MAX_AT_ONCE - sending.size
  if (limit === 0) return
  for (const delivery of await claimDeliveries(deps.db, { limit, hasFailed, except: [...sending.keys()] })) {
    const sent = deliver(delivery, deps)
      .catch((error: unknown) => failures.push(error))
      .finally(() => sending.delete(delivery.companyId))
    sending.set(delivery.companyId, sent)
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

/** Signed as https://www.standardwebhooks.com says, with the attempt's time: receivers refuse old ones. */
export function sendWebhook(
  { url, ...secret }: Pick<WebhookRow, 'url' | 'secretSalt' | 'sealedSecret'>,
  { messageId, body }: { messageId: string; body: string },
  { clock, tokens, webhooks }: Pick<Deps, 'clock' | 'tokens' | 'webhooks'>,
): Promise<WebhookResponse> {
  const now = clock.now()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Veridict-Webhook',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(tokens.webhookSecret(secret)).sign(messageId, now, body),
  }
  return webhooks.send({ url, headers, body })
}

const isDelivered = (response: WebhookResponse): boolean =>
  'status' in response && response.status >= 200 && response.status < 300

/**
 * In the transaction that moves the submission to a final status: sent exactly if that commits. Does nothing
 * in other statuses, or without a webhook. See docs/BEHAVIOUR.md#webhook.
 */
export async function queueWebhook(
  submission: SubmissionRow & { hasWebhook: boolean },
  trx: Trx,
  deps: Pick<Deps, 'ids' | 'jobs' | 'tracing'>,
): Promise<void> {
  if (!submission.hasWebhook || !isFinal(submission.status)) return
  const { id, companyId, fileName, status, recordsCount, errorRowCount, updatedAt } = submission
  const event: SubmissionFinalEvent = {
    type: 'submission.final',
    timestamp: updatedAt.toISOString(),
    data: { id, fileName, status, recordsCount, errorRowCount },
  }
  const message = { companyId, submissionId: id, messageId: `msg_${deps.ids.uuid()}` }
  await addDelivery(trx, { ...message, body: JSON.stringify(event), traceparent: deps.tracing.traceparent() })
  await deps.jobs.wake('deliverWebhooks', trx)
}
