import type { Deps } from '#deps.ts'
import { deleteOldMails } from '#repositories/mails.ts'
import { deleteOldPasswordLinks } from '#repositories/password-links.ts'
import { deleteSpentSessions } from '#repositories/sessions.ts'

/** Letters that were sent are kept this long, without their text, for the question whether one went out. */
const MAIL_DAYS = 30

/** Deletes sessions that ended, links that were used or expired, and old letters. */
export async function tidyDatabase({ db }: Pick<Deps, 'db'>): Promise<void> {
  await deleteSpentSessions(db)
  await deleteOldPasswordLinks(db)
  await deleteOldMails(db, MAIL_DAYS)
}
