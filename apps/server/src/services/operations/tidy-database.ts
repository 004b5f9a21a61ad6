import { guessLimits } from '@veridict/contract/limits'
import type { Deps } from '#deps.ts'
import { deleteOldMails } from '#repositories/mails.ts'
import { deleteOldPasswordLinks } from '#repositories/password-links.ts'
import { deleteEndedSessions } from '#repositories/sessions.ts'
import { deleteOldGuesses } from '#repositories/wrong-passwords.ts'

/** Sent e-mails are kept this long, without their text, so that operators can see what was sent. */
const MAIL_DAYS = 30

/** Deletes ended sessions, expired password links, old e-mails and counted guesses. */
export async function tidyDatabase({ db }: Pick<Deps, 'db'>): Promise<void> {
  await deleteEndedSessions(db)
  await deleteOldPasswordLinks(db)
  await deleteOldMails(db, MAIL_DAYS)
  await deleteOldGuesses(db, guessLimits.knownAddress)
}
