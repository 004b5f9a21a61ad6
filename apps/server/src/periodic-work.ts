import { isDatabaseDown } from '#platform/database/database-down.ts'
import type { Deps } from '#deps.ts'
import { writeAuditHead } from '#audit/audit-head.ts'
import { linkAuditTrail } from '#audit/keep-audit-trail.ts'
import { sweepGeneratedErrorFiles } from '#submissions/generated-error-files.ts'
import { checkClock } from '#platform/database/marks.ts'
import { repeat } from '#platform/jobs/run-job.ts'
import { releaseDeadLeases } from '#submissions/submission-claims.ts'

/** With leases of 24 s, a run whose machine vanished is taken over in less than 30 s. */
const MAINTENANCE_MILLISECONDS = 5_000
const SWEEP_MILLISECONDS = 60 * 60 * 1000

/**
 * Checks the clock, and looks for submissions whose worker died, now and every few seconds. Every worker does
 * it; it costs one query on a small index. Returns the function that stops it.
 */
export function startMaintenance(deps: Deps): () => Promise<void> {
  return repeat(MAINTENANCE_MILLISECONDS, () =>
    runMaintenance(deps).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'looking for submissions without a worker failed'),
    ),
  ).stop
}

async function runMaintenance({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Promise<void> {
  await checkClock(db)
  const released = await releaseDeadLeases(db)
  if (released.length === 0) return
  for (const { id: submissionId, reason } of released)
    log.warn({ submissionId, reason }, 'another worker takes this submission over')
  await jobs.wake('validateSubmission')
  await jobs.wake('ingestSubmission')
}

/**
 * Sweeps this process's cache of error files now and every hour. Not a job of the queue, which only one
 * process would run. Returns the function that stops it.
 */
export function startGeneratedFilesSweep(
  deps: Pick<Deps, 'db' | 'generatedFiles' | 'log'>,
): () => Promise<void> {
  return repeat(SWEEP_MILLISECONDS, () =>
    sweepGeneratedErrorFiles(deps).then(
      (swept) => swept > 0 && deps.log.info({ swept }, 'error files of deleted sources were deleted'),
      (error: unknown) => deps.log.warn({ err: error }, 'the cache of error files could not be swept'),
    ),
  ).stop
}

const HEAD_MILLISECONDS = 60 * 60 * 1000

/**
 * Writes the head of the audit trail of this day, now and every hour until it is there. Every worker does it.
 * Returns the function that stops it.
 */
export function startAuditHeads(deps: Pick<Deps, 'db' | 'env' | 'storage' | 'log'>): () => Promise<void> {
  return repeat(HEAD_MILLISECONDS, () =>
    writeAuditHead(deps).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'the head of the audit trail was not written'),
    ),
  ).stop
}

const LINK_MILLISECONDS = 1000

/**
 * Links new entries of the audit trail, now and every second. Every process does it; it costs two queries on
 * one row and an empty index. Returns the function that stops it, after what was added until then.
 */
export function startAuditLinking(deps: Pick<Deps, 'db' | 'log'>): () => Promise<void> {
  const link = () =>
    linkAuditTrail(deps).catch((error: unknown) =>
      // Every second of an outage would be too much of the same.
      deps.log[isDatabaseDown(error) ? 'debug' : 'warn']({ err: error }, 'the audit trail was not linked'),
    )
  const { stop } = repeat(LINK_MILLISECONDS, link)
  return async () => {
    await stop()
    await link()
  }
}
