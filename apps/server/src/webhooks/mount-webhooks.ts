import * as endpoints from '@veridict/contract/api/webhooks'
import { webhookMessages } from '@veridict/contract/messages/webhooks'
import type { FastifyInstance } from 'fastify'
import { mount, withMessage } from '#platform/http/mount.ts'
import { readWebhook } from '#webhooks/read-webhook.ts'
import { setWebhook } from '#webhooks/set-webhook.ts'
import { testWebhook } from '#webhooks/test-webhook.ts'

export function mountWebhooks(app: FastifyInstance): void {
  mount(app, endpoints.readWebhook, ({ params, deps }) => readWebhook(params.id, deps))

  mount(app, endpoints.setWebhook, async ({ params, body, deps }) =>
    withMessage(
      await setWebhook(params.id, body, deps),
      body.url === null ? webhookMessages.removed : webhookMessages.set,
    ),
  )

  mount(app, endpoints.testWebhook, ({ params, deps }) => testWebhook(params.id, deps))
}
