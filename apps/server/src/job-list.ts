import { OTHER_COMPANIES } from '#platform/validator/create-validator-pool.ts'
import type { Jobs } from '#platform/jobs/job.ts'
import { warnOfEndingTokens } from '#companies/warn-of-ending-tokens.ts'
import { sendPendingMails } from '#mail/send-pending-mails.ts'
import { tidyDatabase } from '#operations/tidy-database.ts'
import { expireStorageErrors } from '#submissions/expire-storage-errors.ts'
import { ingestSubmission } from '#submissions/ingest-submission.ts'
import { sweepStorage } from '#submissions/sweep-storage.ts'
import { deliverWebhooks } from '#webhooks/deliver-webhooks.ts'
import { validateSubmission } from '#submissions/validate-submission.ts'

const bySubmission = ({ submissionId }: { submissionId: number }): string => String(submissionId)

/**
 * Runs for each validator process. A small file is with its process for some milliseconds, and waits for
 * database and disk for ten times as long.
 */
const RUNS_PER_PROCESS = 10
/**
 * A job of its own for storing takes longer than copying a file of this size. Larger ones get one, so that a
 * slow storage does not fill the places for validating.
 */
const SMALL_FILE_BYTES = 1024 * 1024
/** Files copied to the folder of one company at once. */
const INGESTIONS_PER_COMPANY = 2

/** Every kind of background work by its name. */
export const jobList = ({ validatorProcesses }: { validatorProcesses: number }): Jobs => ({
  validateSubmission: {
    concurrency: RUNS_PER_PROCESS * (validatorProcesses + OTHER_COMPANIES),
    perCompany: RUNS_PER_PROCESS * validatorProcesses,
    needsStorage: true,
    heartbeatSeconds: 30,
    key: bySubmission,
    run: ({ submissionId }, deps, shutdown) =>
      validateSubmission(submissionId, deps, shutdown, { maxIngestedBytes: SMALL_FILE_BYTES }),
  },
  ingestSubmission: {
    concurrency: INGESTIONS_PER_COMPANY + OTHER_COMPANIES,
    perCompany: INGESTIONS_PER_COMPANY,
    needsStorage: true,
    heartbeatSeconds: 30,
    key: bySubmission,
    run: ({ submissionId }, deps, shutdown) => ingestSubmission(submissionId, deps, shutdown),
  },
  sendMails: {
    concurrency: 1,
    sharedEvery: 60,
    heartbeatSeconds: 60,
    run: async (_payload, deps) => void (await sendPendingMails(deps)),
  },
  deliverWebhooks: {
    concurrency: 1,
    // With the first delay of 3 s, a failed webhook is sent again in less than 10 s.
    sharedEvery: 3,
    heartbeatSeconds: 60,
    run: (_payload, deps, shutdown) => deliverWebhooks(deps, shutdown),
  },
  expireStorageErrors: {
    concurrency: 1,
    needsStorage: true,
    heartbeatSeconds: 60,
    schedule: '20 3 * * *',
    run: (_payload, deps) => expireStorageErrors(deps),
  },
  sweepStorage: {
    concurrency: 1,
    needsStorage: true,
    heartbeatSeconds: 60,
    schedule: '40 * * * *',
    run: (_payload, deps) => sweepStorage(deps),
  },
  tidyDatabase: {
    concurrency: 1,
    heartbeatSeconds: 60,
    schedule: '40 3 * * *',
    run: (_payload, deps) => tidyDatabase(deps),
  },
  warnOfEndingTokens: {
    concurrency: 1,
    heartbeatSeconds: 60,
    schedule: '0 7 * * *',
    run: (_payload, deps) => warnOfEndingTokens(deps),
  },
})
