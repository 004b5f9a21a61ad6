import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Deps } from '#deps.ts'
import { jobOf } from '#platform/jobs/job-queue.ts'
import { checkClock } from '#platform/database/marks.ts'
import { findUnsettled } from '#submissions/submission-leases.ts'
import { addRecurringJobs } from '#platform/jobs/add-recurring-jobs.ts'

/** More than these are recovered in the next run. */
const MAX_AT_ONCE = 200

/**
 * Every worker calls this every few seconds. It checks the clock and recovers submissions without a worker.
 */
export async function runMaintenance(deps: Pick<Deps, 'db' | 'jobs' | 'log'>): Promise<void> {
  await checkClock(deps.db)
  await addRecurringJobs(deps)
  const found = await recoverUnsettled(deps)
  // Includes submissions whose job exists and only waits for its turn.
  if (found > 0) deps.log.debug({ found }, 'submissions without a worker have their jobs')
}

/**
 * Adds the job of every submission that waits and that no worker has: after a crash, a lost job or an outage
 * of the database. Does no harm if the job exists. The job of a submission from before a clock was set back
 * waits for a later time, so it is expedited. Returns the number of submissions.
 */
export async function recoverUnsettled(deps: Pick<Deps, 'db' | 'jobs'>): Promise<number> {
  const unsettled = await findUnsettled(deps.db, MAX_AT_ONCE)
  for (const name of ['validateSubmission', 'ingestSubmission'] as const) {
    const found = unsettled.filter(({ status }) => jobNameOf(status) === name)
    if (found.length > 0) await deps.jobs.addAll(name, found.map(jobOf))
    for (const submission of found) if (submission.isAhead) await deps.jobs.expedite(name, jobOf(submission))
  }
  return unsettled.length
}

const jobNameOf = (status: SubmissionStatus) =>
  status === SubmissionStatus.ValidationPassed ? 'ingestSubmission' : 'validateSubmission'
