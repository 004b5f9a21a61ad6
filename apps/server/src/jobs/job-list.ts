import { expireStorageErrorsJob } from '#jobs/expire-storage-errors.ts'
import { ingestSubmissionJob } from '#jobs/ingest-submission.ts'
import type { Job } from '#jobs/job.ts'
import { sendMailsJob } from '#jobs/send-mails.ts'
import { sweepStorageJob } from '#jobs/sweep-storage.ts'
import { tidyDatabaseJob } from '#jobs/tidy-database.ts'
import { validateSubmissionJob } from '#jobs/validate-submission.ts'
import type { JobName } from '#drivers/job-queue.ts'

/** Every kind of background work by its name; the compiler asks for the missing ones. */
export const jobList = (settings: { validatorProcesses: number }): { [N in JobName]: Job<N> } => ({
  validateSubmission: validateSubmissionJob(settings.validatorProcesses),
  ingestSubmission: ingestSubmissionJob,
  sendMails: sendMailsJob,
  expireStorageErrors: expireStorageErrorsJob,
  sweepStorage: sweepStorageJob,
  tidyDatabase: tidyDatabaseJob,
})
