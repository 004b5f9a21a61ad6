import { counted } from '#notation/count.ts'
import { adminScreenTitles } from './admin-screens.ts'
import { mailMessages } from './mails.ts'
import { noticeMessages } from './notices.ts'

/** Sentences of the screen of operators, and of maintenance mode. See docs/BEHAVIOUR.md#operation. */
export const operationMessages = {
  title: adminScreenTitles.operation,
  lead: 'How the portal works at this moment, on all machines. It is read again by itself.',
  allWell: 'Everything works',
  problems: (count: number) => `${counted(count, 'thing needs', 'things need')} your attention`,
  stale: 'This could not be read again. What you see may be out of date.',
  runbook: (alert: string) => `In docs/OPERATIONS.md: ${alert}`,
  maintenance: 'Maintenance mode',
  maintenanceOff: 'Off. Everybody may upload.',
  switchOn: 'Switch on',
  switchOff: 'Switch off',
  messageLabel: 'Sentence that everybody reads',
  messageHint: 'Uploads are refused with it. Reports and downloads work, and accepted files are processed.',
  messageExample: 'We move the storage. Uploads are possible again at 14:00.',
  messageRequired: 'Write the sentence that everybody reads meanwhile.',
  switchedOn: 'Maintenance mode is on: uploads are refused with your sentence.',
  switchedOff: 'Maintenance mode is off: uploads are accepted again.',
  retryAll: 'Retry all',
  showMails: 'Show them',
  retried: (count: number) =>
    `${counted(count, 'file')} with a storage error: tried again within half a minute.`,
  pause: 'Pause uploads',
  resume: 'Go on',
  pauseTitle: (company: string) => `Pause ${company}?`,
  pauseText:
    'Its uploads are refused with a sentence, and its files wait until the company goes on. Nothing is ' +
    'lost, and other companies are not affected.',
  pausedSince: (moment: string) => `Paused since ${moment}`,
} as const

/** What is wrong, what to do about it, and the paragraph of docs/OPERATIONS.md with more. */
export type Problem = { title: string; text: string; runbook: string }

export const operationProblems = {
  database: {
    title: 'The database does not work as it should',
    text: 'Calls are refused, and accepted files wait in it. Look at its connections and its disk.',
    runbook: 'VeridictDatabaseAway',
  },
  degraded: (parts: readonly string[]) => ({
    title: 'A protection does not hold',
    text: noticeMessages.degraded(parts),
    runbook: 'VeridictProtectionDegraded',
  }),
  storageAway: {
    title: 'The storage is not available',
    text: 'Uploads are refused and files wait. Mount or repair it; never put a new one in its place.',
    runbook: 'VeridictStorageAway',
  },
  storageFull: (free: string) => ({
    title: `The storage is almost full: ${free} are free`,
    text: 'Uploads will be refused. Make the disk larger.',
    runbook: 'VeridictStorageFull',
  }),
  noWorker: {
    title: 'No program validates files',
    text: 'Uploads are accepted and wait. Start a worker.',
    runbook: 'VeridictNoWorker',
  },
  silent: (programs: readonly string[]) => ({
    title: `Silent: ${programs.join(', ')}`,
    text: 'It is frozen, or its machine is cut off; others take its files over. Restart it.',
    runbook: 'VeridictWorkersDie',
  }),
  filesWait: (time: string, count: number) => ({
    title: `A file has waited for ${time}`,
    text:
      `${counted(count, 'file waits', 'files wait')}. Add workers, or look in the log for the file that ` +
      'keeps failing.',
    runbook: 'VeridictFilesWait',
  }),
  filesNotStored: (count: number) => ({
    title: `${counted(count, 'accepted file')} could not be stored`,
    text: 'The log has the reason: rights, space, or a name that is taken. Remove it, then try all again.',
    runbook: 'VeridictFilesNotStored',
  }),
  mailsParked: (count: number) => ({
    title: mailMessages.undelivered(count),
    text: 'The list has the replies of the mail server. Correct what they say, then send them again.',
    runbook: 'VeridictMailsParked',
  }),
  backupOld: (ago: string | null) => ({
    title: ago === null ? 'There is no backup' : `The last complete backup was made ${ago}`,
    text:
      ago === null
        ? 'Schedule "veridict backup". Backups of other tools are not seen here.'
        : 'Look at the log of its timer, and at the space where it writes.',
    runbook: 'VeridictBackupOld',
  }),
  workStopped: (work: readonly string[]) => ({
    title: `Regular work has stopped: ${work.join(', ')}`,
    text: 'Check that workers run, and look for errors in their log.',
    runbook: 'VeridictMaintenanceStopped',
  }),
} as const
