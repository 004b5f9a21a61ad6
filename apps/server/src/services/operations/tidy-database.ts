import { guessLimits } from '@veridict/contract/limits'
import type { Deps } from '#deps.ts'
import { deleteOldMails } from '#repositories/mails.ts'
import { deleteOldPasswordLinks } from '#repositories/password-links.ts'
import { deleteEndedSessions } from '#repositories/sessions.ts'
import { deleteOldDeliveries } from '#repositories/webhooks.ts'
import { deleteOldGuesses } from '#repositories/wrong-passwords.ts'

/** E-mails (sent ones without their text, undelivered ones with it) and webhooks are kept this long. */
const MAIL_DAYS = 30

/** Deletes ended sessions, expired password links, old e-mails, webhooks and counted guesses. */
export async function tidyDatabase({ db }: Pick<Deps, 'db'>): Promise<void> {
  await deleteEndedSessions(db)
  await deleteOldPasswordLinks(db)
  await deleteOldMails(db, MAIL_DAYS)
  await deleteOldDeliveries(db, MAIL_DAYS)
  await deleteOldGuesses(db, guessLimits.knownAddress)
}
