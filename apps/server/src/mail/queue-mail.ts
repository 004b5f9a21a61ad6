import type { Trx } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { MailMessage } from '#mail/mail-message.ts'
import { addMail } from '#mail/mails.ts'

export type MailDeps = Pick<Deps, 'ids' | 'tracing'> & {
  env: Pick<Deps['env'], 'publicUrl'>
  jobs: Pick<Deps['jobs'], 'wake'>
}

/** Sent by `sendMails` if and only if `trx` commits. Returns its Message-ID. See docs/BEHAVIOUR.md#e-mail. */
export async function queueMail(
  recipient: string,
  message: MailMessage,
  trx: Trx,
  { ids, env, tracing, jobs }: MailDeps,
): Promise<string> {
  const messageId = `<${ids.uuid()}@${new URL(env.publicUrl).hostname}>`
  await addMail(trx, {
    messageId,
    recipient,
    subject: message.subject,
    textBody: message.text,
    htmlBody: message.html,
    traceparent: tracing.traceparent(),
  })
  await jobs.wake('sendMails', trx)
  return messageId
}
