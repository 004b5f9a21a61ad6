import type { Operation } from '@veridict/contract/api/admin'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { findPausedCompanies } from '#submissions/submission-claims.ts'
import { checkReadiness } from '#operations/check-readiness.ts'
import { countWork } from '#operations/counts.ts'
import type { Deps } from '#deps.ts'
import { uploadStopOf } from '#platform/access/upload-stop.ts'
import { findSchemaState, schema } from '#platform/database/migrate.ts'
import { findPrograms } from '#platform/live/programs.ts'
import { isAlmostFull } from '#platform/storage/storage-refusal.ts'
import { version } from '#version.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'stopping' | 'tokens' | 'env'>

/** For operators: the state of the whole portal, as the metrics and `/api/ready` have it, too. */
export async function readOperation(deps: Needs): Promise<Operation> {
  const { db, storage, env } = deps
  const readiness = await checkReadiness(deps)
  // A storage that hangs would not answer here, either.
  const space = readiness.failing.includes('storage') ? null : await storage.space().catch(() => null)
  const [{ rows }, work, state, programs, paused] = await Promise.all([
    sql<{ at: Date; maintenance: string | null }>`
      select now() as at, ${uploadStopOf(sql`null::integer`)} as maintenance`.execute(db),
    countWork(db),
    findSchemaState(db),
    findPrograms(db),
    findPausedCompanies(db),
  ])
  const { at, maintenance } = rows[0]!
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
