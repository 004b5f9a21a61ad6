import { defineJob } from '#jobs/job.ts'
import { sendPendingMails } from '#services/mail/send-pending-mails.ts'

/** Sends whatever waits in the outbox; every minute as well, for letters whose sending failed. */
export const sendMailsJob = defineJob({
  name: 'sendMails',
  concurrency: 1,
  heartbeatSeconds: 60,
  schedule: '* * * * *',
  run: async (_payload, deps) => void (await sendPendingMails(deps)),
})
