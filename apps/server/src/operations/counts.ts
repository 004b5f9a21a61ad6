import type { Operation } from '@veridict/contract/api/admin'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import type { Deps } from '#deps.ts'
import { findAuditLag } from '#audit/keep-audit-trail.ts'
import { countCompanies } from '#companies/companies.ts'
import { countDictionaries } from '#dictionaries/dictionaries.ts'
import { countMails } from '#mail/mails.ts'
import { findStopSeconds, uploadStopOf } from '#platform/access/upload-stop.ts'
import { rowOf } from '#platform/database/rows.ts'
import type { Db } from '#platform/database/tables.ts'
import { countWorkers, findPrograms } from '#platform/live/programs.ts'
import { findDegraded } from '#operations/find-degraded.ts'
import { findLastRuns } from '#platform/database/marks.ts'
import {
  countSubmissionsByStatus,
  countOpen,
  countRejectedOfWeek,
  openStatuses,
} from '#submissions/submissions.ts'
import { countWaiting, findPausedCompanies } from '#submissions/submission-claims.ts'
import { countDeliveries } from '#webhooks/webhooks.ts'
import { checkReadiness } from '#operations/check-readiness.ts'
import { findSchemaState, schema } from '#platform/database/migrate.ts'
import { isAlmostFull } from '#platform/storage/storage-refusal.ts'
import { version } from '#version.ts'

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

/** What the metrics show of the database. */
export async function countAll({ db, tokens }: Pick<Deps, 'db' | 'tokens'>) {
  const [totals, work, auditLagSeconds, workers, degraded, stops] = await Promise.all([
    countSubmissionsByStatus(db),
    countWork(db),
    findAuditLag(db),
    countWorkers(db),
    findDegraded({ db, tokens }),
    findStopSeconds(db),
  ])
  const ofStatuses = totals.map(({ status, count }) => [status, count] as const)
  const submissions = new Map([...ofStatuses, ...work.submissions])
  return { ...work, submissions, auditLagSeconds, workers, degraded, stops }
}

/** What waits, and what ran when. It changes from moment to moment: of submissions only the open ones. */
export async function countWork(db: Db) {
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

type Needs = Pick<Deps, 'db' | 'storage' | 'stopping' | 'tokens' | 'env'>

/** For operators: the state of the whole portal, as the metrics and `/api/ready` have it, too. */
export async function readOperation(deps: Needs): Promise<Operation> {
  const { db, storage, env } = deps
  const readiness = await checkReadiness(deps)
  // A storage that hangs would not answer here, either.
  const space = readiness.failing.includes('storage') ? null : await storage.space().catch(() => null)
  const [{ at, maintenance }, work, state, programs, paused] = await Promise.all([
    rowOf<{ at: Date; maintenance: string | null }>(db)`
      select now() as at, ${uploadStopOf(sql`null::integer`)} as maintenance`,
    countWork(db),
    findSchemaState(db),
    findPrograms(db),
    findPausedCompanies(db),
  ])
  const { mails, webhooks, oldestWaitingSeconds, lastRuns } = work
  const runs = lastRuns.map(({ job, at }) => ({ job, at: at.toISOString() }))
  return {
    at: at.toISOString(),
    version,
    schema,
    ...state,
    servers: programs.map(({ isWorker: _isWorker, seenAt, ...program }) => ({
      ...program,
      seenAt: seenAt.toISOString(),
    })),
    ...readiness,
    waiting: [...work.queues.values()].reduce((sum, count) => sum + count, 0),
    oldestWaitingSeconds,
    failedStorage: work.submissions.get(SubmissionStatus.IngestionFailed) ?? 0,
    mails,
    webhooks,
    storageFreeBytes: space?.free ?? null,
    isStorageLow: space !== null && isAlmostFull(space, env.minFreeSpaceMegabytes),
    backupAt: runs.find(({ job }) => job === 'backup')?.at ?? null,
    maintenance,
    paused: paused.map((company) => ({ ...company, pausedAt: company.pausedAt.toISOString() })),
    lastRuns: runs,
  }
}
