import type { QueryOf } from '@veridict/contract/api/endpoint'
import type { listMails } from '@veridict/contract/api/admin'
import { mailMessages } from '@veridict/contract/messages/mails'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { conflict, notFound } from '#errors.ts'
import { countUnsentMails, findMail, findUnsentMails, makeMailDue } from '#mail/mails.ts'

/** A page of the e-mails that were not sent, and the number of all that match. */
export async function listUnsentMails(query: QueryOf<typeof listMails>, { db }: Pick<Deps, 'db'>) {
  const [mails, totalCount] = await Promise.all([findUnsentMails(db, query), countUnsentMails(db, query)])
  return { mails, totalCount }
}

/** Sends an e-mail that was given up, or waits, at once. Throws 404, or 409 if it cannot be sent again. */
export async function sendMailAgain(id: number, deps: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  const isDue = await inTransaction(deps.db, async (trx) => {
    const found = await makeMailDue(trx, id)
    if (found) await deps.jobs.add('sendMails', {}, trx)
    return found
  })
  if (isDue) return
  const mail = await findMail(deps.db, id)
  if (mail === undefined) throw notFound('E-mail')
  throw conflict(mail.sentAt === null ? mailMessages.textDeleted : mailMessages.alreadySent)
}
