import type { Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'
import type { Ids } from '#drivers/ids.ts'
import type { JobQueue } from '#drivers/job-queue.ts'
import type { MailMessage } from '#mail/mail-message.ts'
import { addMail } from '#repositories/mails.ts'

/**
 * Puts a letter into the outbox within the transaction that causes it: so it is posted exactly when that
 * commits. The job `sendMails` hands it over afterwards. Decisions, "Mail".
 */
export async function queueMail(
  recipient: string,
  letter: MailMessage,
  trx: Transaction<Database>,
  deps: { ids: Ids; jobs: JobQueue; env: { publicUrl: string } },
): Promise<void> {
  const messageId = `<${deps.ids.uuid()}@${new URL(deps.env.publicUrl).hostname}>`
  await addMail(trx, {
    messageId,
    recipient,
    subject: letter.subject,
    textBody: letter.text,
    htmlBody: letter.html,
  })
  await deps.jobs.add('sendMails', {}, trx)
}
