import type { SubmissionFinalEvent } from '@veridict/contract/api/webhooks'
import { isFinal } from '@veridict/contract/model/submission-status'
import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { MovedSubmission } from '#submissions/submission-moves.ts'
import { addDelivery } from '#webhooks/webhooks.ts'

/**
 * Adds the message about a final status to the outbox, in the transaction that moves the submission there: it
 * is sent exactly if that commits. Does nothing in other statuses, or if the company has no webhook. See
 * docs/BEHAVIOUR.md#webhook.
 */
export async function queueWebhook(
  submission: MovedSubmission,
  trx: Transaction<Database>,
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
  await addDelivery(trx, {
    ...message,
    body: JSON.stringify(event),
    traceparent: deps.tracing.traceparent(),
  })
  await deps.jobs.add('deliverWebhooks', {}, trx)
}
