import { z } from 'zod'
import { webhookForm } from '#forms/webhook.ts'
import { endpoint, timestamp } from './endpoint.ts'
import { submissionItem } from './submissions.ts'

/** Sent when a submission is final, as https://www.standardwebhooks.com says: signed v1, HMAC-SHA256. */
export const submissionFinalEvent = z.object({
  type: z.literal('submission.final'),
  timestamp,
  data: submissionItem.pick({
    id: true,
    fileName: true,
    status: true,
    recordsCount: true,
    errorRowCount: true,
  }),
})
export type SubmissionFinalEvent = z.infer<typeof submissionFinalEvent>

export type WebhookTestEvent = { type: 'webhook.test'; timestamp: string; data: Record<never, never> }

export const readWebhook = endpoint(
  'GET /api/Company/:id/Webhook',
  'superAdmin',
  'The address to which results of a company are sent; null without one',
  {
    reply: z.object({
      url: z.string().nullable(),
      /** How many messages were not delivered yet; `lastProblem` is the reason for the last of them. */
      waitingCount: z.int(),
      lastProblem: z.string().nullable(),
    }),
  },
)

export const setWebhook = endpoint(
  'PUT /api/Company/:id/Webhook',
  'superAdmin',
  'Set the webhook of a company, with a new secret that only this reply has; null removes it',
  { body: webhookForm, reply: z.object({ url: z.string().nullable(), secret: z.string().nullable() }) },
)

export const testWebhook = endpoint(
  'POST /api/Company/:id/Webhook/Test',
  'superAdmin',
  'Send a message of type webhook.test now, once',
  {
    reply: z.object({
      /** The status of the response; null without a response. */
      status: z.int().nullable(),
      /** Why there was no response. */
      problem: z.string().nullable(),
    }),
  },
)
