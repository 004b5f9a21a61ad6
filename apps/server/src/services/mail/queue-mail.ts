import type { Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import type { MailMessage } from '#mail/mail-message.ts'
import { addMail } from '#repositories/mails.ts'

/**
 * Adds an e-mail to the outbox inside the transaction that causes it, so that it is sent exactly if that
 * commits. The job `sendMails` sends it. Returns its id. See docs/BEHAVIOUR.md#e-mail.
 */
export async function queueMail(
  recipient: string,
  message: MailMessage,
  trx: Transaction<Database>,
  deps: Pick<Deps, 'ids' | 'jobs' | 'env'>,
): Promise<number> {
  const messageId = `<${deps.ids.uuid()}@${new URL(deps.env.publicUrl).hostname}>`
  const id = await addMail(trx, {
    messageId,
    recipient,
    subject: message.subject,
    textBody: message.text,
    htmlBody: message.html,
  })
  await deps.jobs.add('sendMails', {}, trx)
  return id
}
