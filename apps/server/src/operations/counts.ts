import type { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { poolStateOf } from '#platform/database/database.ts'
import type { Deps } from '#deps.ts'
import { countCompanies } from '#companies/companies.ts'
import { countDictionaries } from '#dictionaries/dictionaries.ts'
import { countMails } from '#mail/mails.ts'
import type { Db } from '#platform/database/tables.ts'
import { countWorkers } from '#platform/live/programs.ts'
import { findDegraded } from '#operations/find-degraded.ts'
import { type LastRun, findLastRuns } from '#platform/database/marks.ts'
import {
  countSubmissionsByStatus,
  countOpen,
  countRejectedOfWeek,
  openStatuses,
} from '#submissions/submissions.ts'
import { countWaiting } from '#submissions/submission-claims.ts'
import { countDeliveries } from '#webhooks/webhooks.ts'

/** Companies with rejected files that the home of administrators names. */
const MOST_COMPANIES = 10

/** For administrators: the dictionaries and companies that are not deleted, and rejected files. */
export async function countTotals({ db }: Pick<Deps, 'db'>) {
  const [totalDataDictionaries, totalCompanies, rejected] = await Promise.all([
    countDictionaries(db),
    countCompanies(db),
    countRejectedOfWeek(db, MOST_COMPANIES),
  ])
  return { totalDataDictionaries, totalCompanies, rejected }
}

/** For operators: this process's connections to the database, and calls that wait for one. */
export const countConnections = ({ db }: Pick<Deps, 'db'>) => poolStateOf(db)

/** For operators: what waits, and what ran when. */
export type OpenWork = {
  submissions: Map<SubmissionStatus, number>
  mails: { waiting: number; parked: number }
  webhooks: { waiting: number; parked: number }
  queues: Map<string, number>
  oldestWaitingSeconds: number
  lastRuns: LastRun[]
}

/** Counting a million submissions takes some 100 ms, too long for each look at the metrics. */
const TOTALS_MILLISECONDS = 60_000

/** Returns a function that counts; it counts submissions at most once a minute, while no caller waits. */
export function createWorkCounts({ db, tokens }: Pick<Deps, 'db' | 'tokens'>) {
  let totals: Map<SubmissionStatus, number> | null = null
  let countedAt = 0
  const recount = async () => {
    countedAt = performance.now()
    totals = new Map((await countSubmissionsByStatus(db)).map(({ status, count }) => [status, count]))
    return totals
  }
  const submissions = async () => {
    if (totals === null) return recount()
    // A failure leaves the older counts.
    if (performance.now() - countedAt > TOTALS_MILLISECONDS) recount().catch(() => {})
    return totals
  }
  return async () => {
    const [counts, work, workers, degraded] = await Promise.all([
      submissions(),
      countWork(db),
      countWorkers(db),
      findDegraded({ db, tokens }),
    ])
    return { ...work, submissions: new Map([...counts, ...work.submissions]), workers, degraded }
  }
}

/** What changes from moment to moment: of submissions only the open ones. */
export async function countWork(db: Db): Promise<OpenWork> {
  const [{ counts, oldestWaitingSeconds }, mails, webhooks, queues, lastRuns] = await Promise.all([
    countOpen(db),
    countMails(db),
    countDeliveries(db),
    countWaiting(db),
    findLastRuns(db),
  ])
  const submissions = new Map(openStatuses.map((status) => [status, counts.get(status) ?? 0]))
  return { submissions, mails, webhooks, queues, oldestWaitingSeconds, lastRuns }
}
