import { OTHER_COMPANIES } from '#platform/validator/create-validator-pool.ts'
import type { Jobs } from '#start-jobs.ts'
import { warnOfEndingTokens } from '#companies/warn-of-ending-tokens.ts'
import { tryImpacts } from '#impacts/try-impacts.ts'
import { sendPendingMails } from '#mail/send-pending-mails.ts'
import { tidyDatabase } from '#operations/tidy-database.ts'
import { expireStorageErrors } from '#submissions/expire-storage-errors.ts'
import { ingestClaimed } from '#submissions/ingest-submission.ts'
import { retryDueStorageErrors } from '#submissions/retry-ingestion.ts'
import { sweepStorage } from '#submissions/sweep-storage.ts'
import { deliverWebhooks } from '#webhooks/deliver-webhooks.ts'
import { validateClaimed } from '#submissions/validate-submission.ts'

/** A small file is with its process for milliseconds, and waits for database and disk ten times as long. */
const RUNS_PER_PROCESS = 10
/** Copying a file up to this size is faster than a run of its own. Larger ones must not block validation. */
const SMALL_FILE_BYTES = 1024 * 1024
/** Files copied to the folder of one company at once. */
const INGESTIONS_PER_COMPANY = 2

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const jobList = ({ validatorProcesses }: { validatorProcesses: number }): Jobs => ({
  submissions: [
    {
      name: 'validateSubmission',
      concurrency: RUNS_PER_PROCESS * (validatorProcesses + OTHER_COMPANIES),
      perCompany: RUNS_PER_PROCESS * validatorProcesses,
      run: (submission, deps, shutdown) =>
        validateClaimed(submission, deps, shutdown, { maxIngestedBytes: SMALL_FILE_BYTES }),
    },
    {
      name: 'ingestSubmission',
      concurrency: INGESTIONS_PER_COMPANY + OTHER_COMPANIES,
      perCompany: INGESTIONS_PER_COMPANY,
      run: ingestClaimed,
    },
  ],
  shared: [
    { name: 'sendMails', everySeconds: 60, run: async (deps) => void (await sendPendingMails(deps)) },
    // With the first delay of 3 s, a failed webhook is sent again in less than 10 s.
    { name: 'deliverWebhooks', everySeconds: 3, run: deliverWebhooks },
    { name: 'tryImpacts', everySeconds: 20, run: tryImpacts },
  ],
  timed: [
    {
      name: 'expireStorageErrors',
      everySeconds: DAY,
      atSeconds: 3 * HOUR + 20 * MINUTE,
      needsStorage: true,
      run: expireStorageErrors,
    },
    {
      name: 'retryStorageErrors',
      everySeconds: 20,
      atSeconds: 0,
      needsStorage: true,
      run: retryDueStorageErrors,
    },
    {
      name: 'sweepStorage',
      everySeconds: HOUR,
      atSeconds: 40 * MINUTE,
      needsStorage: true,
      run: sweepStorage,
    },
    { name: 'tidyDatabase', everySeconds: DAY, atSeconds: 3 * HOUR + 40 * MINUTE, run: tidyDatabase },
    { name: 'warnOfEndingTokens', everySeconds: DAY, atSeconds: 7 * HOUR, run: warnOfEndingTokens },
  ],
})
