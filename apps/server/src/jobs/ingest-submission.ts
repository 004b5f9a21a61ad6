import { defineJob } from '#jobs/job.ts'
import { ingestSubmission } from '#services/submissions/ingest-submission.ts'

export const ingestSubmissionJob = defineJob({
  name: 'ingestSubmission',
  concurrency: 2,
  heartbeatSeconds: 30,
  key: ({ submissionId }) => String(submissionId),
  run: ({ submissionId }, deps, shutdown) => ingestSubmission(submissionId, deps, shutdown),
})
