import { defineJob } from '#jobs/job.ts'
import { validateSubmission } from '#services/submissions/validate-submission.ts'

/** As many at once as there are validator processes: more would only hold leases and wait. */
export const validateSubmissionJob = (processes: number) =>
  defineJob({
    name: 'validateSubmission',
    concurrency: processes,
    heartbeatSeconds: 30,
    key: ({ submissionId }) => String(submissionId),
    run: ({ submissionId }, deps, shutdown) => validateSubmission(submissionId, deps, shutdown),
  })
