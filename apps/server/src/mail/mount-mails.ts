import { listMails, type MailItem, sendMailAgain } from '@veridict/contract/api/admin'
import { mailMessages } from '@veridict/contract/messages/mails'
import { conflict, found } from '#errors.ts'
import { findMail, findUnsentMails, makeMailDue } from '#mail/mails.ts'
import type { MailRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { mountCalls } from '#platform/http/mount.ts'
import { readPage } from '#platform/page.ts'

const calls = { listMails, sendMailAgain }

export const mountMails = mountCalls(calls, {
  listMails: ({ query, deps: { db } }) => readPage(findUnsentMails(db, query), presentMail, query),

  /** One that was given up, or waits; 409 if it cannot be sent again. */
  async sendMailAgain({ params: { id }, deps }) {
    const isDue = await inTransaction(deps.db, async (trx) => {
      const isMade = await makeMailDue(trx, id)
      if (isMade) await deps.jobs.wake('sendMails', trx)
      return isMade
    })
    if (isDue) return
    const mail = await found(findMail(deps.db, id), 'E-mail')
    throw conflict(mail.sentAt === null ? mailMessages.textDeleted : mailMessages.alreadySent)
  },
})

/** Leaves out the text of the e-mail, which may contain a link to set a password. */
const presentMail = (mail: MailRow): MailItem => ({
  id: mail.id,
  recipient: mail.recipient,
  subject: mail.subject,
  createdAt: mail.createdAt.toISOString(),
  attempts: mail.attempts,
  lastError: mail.lastError,
  parkedAt: mail.parkedAt?.toISOString() ?? null,
})
