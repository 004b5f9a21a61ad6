import { Webhook } from 'standardwebhooks'
import type { WebhookRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { WebhookResponse } from '#platform/webhooks/webhook-sender.ts'

/**
 * Sends one message, signed, as https://www.standardwebhooks.com says. The time is that of the attempt:
 * receivers refuse old ones.
 */
export function sendWebhook(
  { url, secretSalt }: Pick<WebhookRow, 'url' | 'secretSalt'>,
  { messageId, body }: { messageId: string; body: string },
  { clock, tokens, webhooks }: Pick<Deps, 'clock' | 'tokens' | 'webhooks'>,
): Promise<WebhookResponse> {
  const now = clock.now()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Veridict-Webhook',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(tokens.webhookSecret(secretSalt)).sign(messageId, now, body),
  }
  return webhooks.send({ url, headers, body })
}

/** Whether the receiver took a message. */
export const isDelivered = (response: WebhookResponse): boolean =>
  'status' in response && response.status >= 200 && response.status < 300
