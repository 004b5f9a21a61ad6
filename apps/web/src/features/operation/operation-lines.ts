import type { Operation } from '@veridict/contract/api/admin'
import { operationProblems as problems, type Problem } from '@veridict/contract/messages/operation'
import { counted } from '@veridict/contract/notation/count'
import { agoOf, fileSize } from '#ui/text/format.ts'

/** One thing of the portal. `value`: how it is while all is well. `action`: what its problem needs here. */
export type OperationLine = {
  name: string
  value: string
  problem?: Problem | undefined
  action?: 'retry' | 'showMails'
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Longest times in seconds, as in deploy/prometheus/alerts.yaml. */
const alarms = { waiting: 10 * MINUTE, backup: 2 * DAY }
const work: Record<string, { name: string; seconds: number }> = {
  tick: { name: 'takeovers', seconds: 2 * MINUTE },
  sweep: { name: 'sweep of the storage', seconds: 3 * HOUR },
  purge: { name: 'purge', seconds: 2 * DAY },
}

const when = (isWrong: boolean, problem: Problem) => (isWrong ? problem : undefined)

/** Everything that an operator looks at. */
export function operationLines(state: Operation): OperationLine[] {
  const now = Date.parse(state.at)
  const ago = agoOf(now)
  const since = (at: string) => (now - Date.parse(at)) / 1000
  const { failing, degraded, waiting, oldestWaitingSeconds, failedStorage, mails, webhooks, backupAt } = state
  const isDatabaseAway = failing.some((part) => part !== 'storage')
  const free = state.storageFreeBytes === null ? null : fileSize(state.storageFreeBytes)
  const silent = state.servers.filter(({ isSilent }) => isSilent).map(({ id }) => id)
  const runs = state.lastRuns.flatMap(({ job, at }) => (work[job] ? [{ ...work[job], at }] : []))
  const late = runs.filter(({ at, seconds }) => since(at) > seconds).map(({ name }) => name)
  const oldest = duration(oldestWaitingSeconds)
  return [
    {
      name: 'Database',
      value: 'Responds, and separates companies',
      problem:
        when(isDatabaseAway, problems.database) ?? when(degraded.length > 0, problems.degraded(degraded)),
    },
    {
      name: 'Storage',
      value: free === null ? 'Available' : `${free} free`,
      problem:
        when(failing.includes('storage'), problems.storageAway) ??
        when(state.isStorageLow, problems.storageFull(free ?? '')),
    },
    {
      name: 'Workers',
      value: counted(state.workers, 'program takes files', 'programs take files'),
      problem:
        when(state.workers === 0, problems.noWorker) ?? when(silent.length > 0, problems.silent(silent)),
    },
    {
      name: 'Files that wait',
      value: waiting === 0 ? 'None' : `${counted(waiting, 'file')}, the oldest for ${oldest}`,
      problem: when(oldestWaitingSeconds > alarms.waiting, problems.filesWait(oldest, waiting)),
    },
    {
      name: 'Accepted files',
      value: 'All are in the folders of their companies, or wait for their turn',
      problem: when(failedStorage > 0, problems.filesNotStored(failedStorage)),
      action: 'retry',
    },
    {
      name: 'E-mails',
      value: mails.waiting === 0 ? 'All are sent' : counted(mails.waiting, 'e-mail waits', 'e-mails wait'),
      problem: when(mails.parked > 0, problems.mailsParked(mails.parked)),
      action: 'showMails',
    },
    {
      name: 'Webhooks',
      value:
        webhooks.waiting + webhooks.parked === 0
          ? 'All are delivered'
          : `${counted(webhooks.waiting, 'message waits', 'messages wait')}; ` +
            `${counted(webhooks.parked, 'was', 'were')} given up in the last month`,
    },
    {
      name: 'Backup',
      value: `Complete, ${backupAt && ago(backupAt)}`,
      problem: when(
        backupAt === null || since(backupAt) > alarms.backup,
        problems.backupOld(backupAt && ago(backupAt)),
      ),
    },
    {
      name: 'Regular work',
      value: runs.map(({ name, at }) => `${name} ${ago(at)}`).join(', '),
      problem: when(late.length > 0, problems.workStopped(late)),
    },
    { name: 'Version', value: versionOf(state, ago) },
  ]
}

function versionOf({ version, schema, ahead, unfinished }: Operation, ago: (at: string) => string): string {
  const newer = ahead.map((one) => `; ${one.name} of version ${one.version ?? '?'} was added ${ago(one.at)}`)
  const left = '; once no older version runs, "veridict migrate --finish" removes what is unused'
  return `${version}, schema ${schema}${newer.join('')}${unfinished.length > 0 ? left : ''}`
}

function duration(seconds: number): string {
  if (seconds < MINUTE) return 'less than a minute'
  if (seconds < HOUR) return counted(Math.floor(seconds / MINUTE), 'minute')
  if (seconds < DAY) return counted(Math.floor(seconds / HOUR), 'hour')
  return counted(Math.floor(seconds / DAY), 'day')
}
