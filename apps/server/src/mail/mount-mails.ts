import * as endpoints from '@veridict/contract/api/admin'
import { mailMessages } from '@veridict/contract/messages/mails'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#deps.ts'
import { conflict, found } from '#errors.ts'
import { countUnsentMails, findMail, findUnsentMails, makeMailDue } from '#mail/mails.ts'
import type { MailRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { mount } from '#platform/http/mount.ts'
import { readPage } from '#platform/page.ts'

export function mountMails(app: FastifyInstance): void {
  mount(app, endpoints.listMails, ({ query, deps: { db } }) =>
    readPage(findUnsentMails(db, query), countUnsentMails(db, query), presentMail, query),
  )

  mount(app, endpoints.sendMailAgain, ({ params, deps }) => sendMailAgain(params.id, deps))
}

/** Sends an e-mail that was given up, or waits, at once. Throws 404, or 409 if it cannot be sent again. */
export async function sendMailAgain(id: number, deps: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  const isDue = await inTransaction(deps.db, async (trx) => {
    const found = await makeMailDue(trx, id)
    if (found) await deps.jobs.wake('sendMails', trx)
    return found
  })
  if (isDue) return
  const mail = await found(findMail(deps.db, id), 'E-mail')
  throw conflict(mail.sentAt === null ? mailMessages.textDeleted : mailMessages.alreadySent)
}

/** Leaves out the text of the e-mail, which may contain a link to set a password. */
const presentMail = (mail: MailRow): endpoints.MailItem => ({
  id: mail.id,
  recipient: mail.recipient,
  subject: mail.subject,
  createdAt: mail.createdAt.toISOString(),
  attempts: mail.attempts,
  lastError: mail.lastError,
  parkedAt: mail.parkedAt?.toISOString() ?? null,
})
