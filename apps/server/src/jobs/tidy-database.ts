import { defineJob } from '#jobs/job.ts'
import { tidyDatabase } from '#services/operations/tidy-database.ts'

/** Throws away what nobody can use any more: spent sessions and links, old letters. */
export const tidyDatabaseJob = defineJob({
  name: 'tidyDatabase',
  concurrency: 1,
  heartbeatSeconds: 60,
  schedule: '40 3 * * *',
  run: (_payload, deps) => tidyDatabase(deps),
})
