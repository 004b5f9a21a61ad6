import { guessLimits } from '@veridict/contract/limits'
import type { Deps } from '#deps.ts'
import { SLOT_SECONDS } from '#drivers/download-slots.ts'
import { deleteExpiredSlots } from '#repositories/download-slots.ts'
import { deleteExpiredTickets } from '#repositories/identities.ts'
import { deleteOldMails } from '#repositories/mails.ts'
import { hasClockJumped } from '#repositories/marks.ts'
import { deleteOldPasswordLinks } from '#repositories/password-links.ts'
import { deleteEmptyBuckets } from '#repositories/rate-limits.ts'
import { deleteOldReports } from '#repositories/row-reports.ts'
import { deleteEndedSessions } from '#repositories/sessions.ts'
import { deleteOldDeliveries } from '#repositories/webhooks.ts'
import { deleteOldGuesses } from '#repositories/wrong-passwords.ts'
import { expireAuditTrail } from '#services/audit/expire-audit-trail.ts'

/** E-mails (sent ones without their text, undelivered ones with it) and webhooks are kept this long. */
const MAIL_DAYS = 30

const REPORTS_AT_ONCE = 200

/**
 * Deletes ended sessions, expired password links, old e-mails, webhooks, guesses and audit entries, what no
 * rate limit counts any more, and the values of cells of reports that are older than RETENTION_DAYS.
 */
export async function tidyDatabase(deps: Pick<Deps, 'db' | 'env'>): Promise<void> {
  const { db } = deps
  await deleteEndedSessions(db)
  await deleteOldPasswordLinks(db)
  await deleteExpiredTickets(db)
  await deleteOldMails(db, MAIL_DAYS)
  await deleteOldDeliveries(db, MAIL_DAYS)
  await deleteOldGuesses(db, guessLimits.known)
  await deleteEmptyBuckets(db)
  await deleteExpiredSlots(db, SLOT_SECONDS)
  await expireAuditTrail(deps)
  // A clock that is a year ahead would delete all of them.
  if (await hasClockJumped(db)) return
  while ((await deleteOldReports(db, deps.env.retentionDays, REPORTS_AT_ONCE)) === REPORTS_AT_ONCE);
}
