import type { MailItem } from '@veridict/contract/api/admin'
import type { MailRow } from '#platform/database/tables.ts'

/** Leaves out the text of the e-mail, which may contain a link to set a password. */
export const presentMail = (mail: MailRow): MailItem => ({
  id: mail.id,
  recipient: mail.recipient,
  subject: mail.subject,
  createdAt: mail.createdAt.toISOString(),
  attempts: mail.attempts,
  lastError: mail.lastError,
  parkedAt: mail.parkedAt?.toISOString() ?? null,
})
