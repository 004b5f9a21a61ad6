import type { Deps } from '#deps.ts'
import { deleteOldMails } from '#repositories/mails.ts'
import { deleteOldPasswordLinks } from '#repositories/password-links.ts'
import { deleteEndedSessions } from '#repositories/sessions.ts'

/** Sent e-mails are kept this long, without their text, so that operators can see what was sent. */
const MAIL_DAYS = 30

/** Deletes ended sessions, expired password links and old e-mails. */
export async function tidyDatabase({ db }: Pick<Deps, 'db'>): Promise<void> {
  await deleteEndedSessions(db)
  await deleteOldPasswordLinks(db)
  await deleteOldMails(db, MAIL_DAYS)
}
