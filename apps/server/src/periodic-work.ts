import { isDatabaseDown } from '#platform/database/database-down.ts'
import type { Deps } from '#deps.ts'
import { writeAuditHead } from '#audit/audit-head.ts'
import { linkAuditTrail } from '#audit/keep-audit-trail.ts'
import { sweepGeneratedErrorFiles } from '#submissions/generated-error-files.ts'
import { checkClock } from '#platform/database/marks.ts'
import { repeat } from '#platform/jobs/run-job.ts'
import { releaseDeadLeases } from '#submissions/submission-claims.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** With leases of 24 s, a run whose machine vanished is taken over in less than 30 s. */
export const startMaintenance = (deps: Deps): Stop =>
  start(5 * SECOND, () => runMaintenance(deps), 'looking for submissions without a worker failed', deps)

export const startGeneratedFilesSweep = (deps: Deps): Stop =>
  start(HOUR, () => sweepGeneratedErrorFiles(deps), 'the cache of error files could not be swept', deps)

/** Writes the head of the audit trail of this day until it is there. */
export const startAuditHeads = (deps: Deps): Stop =>
  start(HOUR, () => writeAuditHead(deps), 'the head of the audit trail was not written', deps)

/** It costs two queries on one row and an empty index. At the end it links what was added until then. */
export function startAuditLinking(deps: Deps): Stop {
  const link = () => linkAuditTrail(deps)
  const stop = start(SECOND, link, 'the audit trail was not linked', deps)
  return () =>
    stop()
      .then(link)
      .then(
        () => {},
        () => {},
      )
}

type Stop = () => Promise<void>

/** Runs in each process: a job of the queue would be done by one. Returns the function that stops it. */
const start = (milliseconds: number, work: () => Promise<unknown>, failed: string, { log }: Deps): Stop =>
  repeat(milliseconds, () =>
    work().catch((error: unknown) =>
      // Every second of an outage would be too much of the same.
      log[isDatabaseDown(error) ? 'debug' : 'warn']({ err: error }, failed),
    ),
  ).stop

async function runMaintenance({ db, jobs, log }: Deps): Promise<void> {
  await checkClock(db)
  const released = await releaseDeadLeases(db)
  if (released.length === 0) return
  for (const { id: submissionId, reason } of released)
    log.warn({ submissionId, reason }, 'another worker takes this submission over')
  await jobs.wake('validateSubmission')
  await jobs.wake('ingestSubmission')
}
