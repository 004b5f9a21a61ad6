import { defineJob } from '#jobs/job.ts'
import { expireStorageErrors } from '#services/submissions/expire-storage-errors.ts'

export const expireStorageErrorsJob = defineJob({
  name: 'expireStorageErrors',
  concurrency: 1,
  heartbeatSeconds: 60,
  schedule: '20 3 * * *',
  run: (_payload, deps) => expireStorageErrors(deps),
})
