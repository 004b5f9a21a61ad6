import { defineJob } from '#jobs/job.ts'
import { sweepStorage } from '#services/submissions/sweep-storage.ts'

export const sweepStorageJob = defineJob({
  name: 'sweepStorage',
  concurrency: 1,
  heartbeatSeconds: 60,
  schedule: '40 * * * *',
  run: (_payload, deps) => sweepStorage(deps),
})
