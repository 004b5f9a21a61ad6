import { guessLimits } from '@veridict/contract/limits'
import type { Deps } from '#deps.ts'
import { deleteExpiredTickets, deleteOldLogouts } from '#users/identities.ts'
import { deleteOldMails } from '#mail/mails.ts'
import { hasClockJumped } from '#platform/database/marks.ts'
import { deleteOldPasswordLinks } from '#users/password-links.ts'
import { deleteOldImpacts } from '#impacts/impacts.ts'
import { deleteEmptyBuckets } from '#platform/admission/shared-buckets.ts'
import { deleteOldReports } from '#submissions/row-reports.ts'
import { deleteOldMoves } from '#submissions/submission-moves.ts'
import { deleteEndedSessions } from '#users/sessions.ts'
import { deleteOldDeliveries } from '#webhooks/webhooks.ts'
import { deleteOldGuesses } from '#session/wrong-passwords.ts'
import { expireAuditTrail } from '#audit/keep-audit-trail.ts'

/** E-mails (sent ones without their text, undelivered ones with it) and webhooks are kept this long. */
const MAIL_DAYS = 30

/**
 * Deletes ended sessions, expired links, old logouts, e-mails, webhooks, guesses, audit entries and buckets;
 * after RETENTION_DAYS also values of cells in reports, tried changes, and moves of final submissions.
 */
export async function tidyDatabase(deps: Pick<Deps, 'db' | 'env' | 'log'>): Promise<void> {
  const { db } = deps
  await deleteEmptyBuckets(db)
  const deleted = {
    sessions: await deleteEndedSessions(db),
    passwordLinks: await deleteOldPasswordLinks(db),
    tickets: await deleteExpiredTickets(db),
    logouts: await deleteOldLogouts(db),
    guesses: await deleteOldGuesses(db, guessLimits.known),
    ...(await deleteByAge(deps)),
  }
  if (Object.values(deleted).some((count) => count > 0)) deps.log.info(deleted, 'the database was tidied')
}

/** Deletes old rows; none after a jump of the clock, because a clock a year ahead would delete them all. */
async function deleteByAge({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<Record<string, number>> {
  if (await hasClockJumped(db)) return {}
  return {
    mails: await deleteOldMails(db, MAIL_DAYS),
    webhooks: await deleteOldDeliveries(db, MAIL_DAYS),
    impacts: await deleteOldImpacts(db, env.retentionDays),
    auditEntries: await expireAuditTrail({ db }),
    reports: await deleteOldReports(db, env.retentionDays),
    moves: await deleteOldMoves(db, env.retentionDays),
  }
}
