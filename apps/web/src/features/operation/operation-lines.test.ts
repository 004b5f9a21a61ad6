import { readFileSync } from 'node:fs'
import type { Operation } from '@veridict/contract/api/admin'
import { expect, it } from 'vitest'
import { operationLines } from './operation-lines.ts'

const alerts = readFileSync(new URL('../../../../../deploy/prometheus/alerts.yaml', import.meta.url), 'utf8')
/** The seconds beyond which an alert of Prometheus begins, here and there. */
function boundOf(metric: string): number {
  const factors =
    alerts
      .split(`max(${metric}) > `)[1]
      ?.match(/^[\d* ]+/)?.[0]
      .split('*') ?? []
  return factors.reduce((product, factor) => product * Number(factor), 1)
}
const lastRun = (job: string) => boundOf(`veridict_last_run_seconds{exported_job="${job}"}`)
const waiting = boundOf('veridict_oldest_waiting_seconds')

const at = '2026-06-01T12:00:00.000Z'
const before = (seconds: number) => new Date(Date.parse(at) - seconds * 1000).toISOString()
const well: Operation = {
  at,
  version: '0.2.0',
  schema: '0040-indexes',
  ahead: [],
  unfinished: [],
  servers: [],
  failing: [],
  degraded: [],
  workers: 1,
  waiting: 3,
  oldestWaitingSeconds: waiting,
  failedStorage: 0,
  mails: { waiting: 1, parked: 0 },
  webhooks: { waiting: 1, parked: 1 },
  storageFreeBytes: 5e9,
  isStorageLow: false,
  backupAt: before(lastRun('backup')),
  maintenance: null,
  paused: [],
  lastRuns: ['tick', 'sweep', 'purge', 'backup'].map((job) => ({ job, at: before(lastRun(job)) })),
}
const runbooks = (change: Partial<Operation>) =>
  operationLines({ ...well, ...change }).flatMap(({ problem }) => problem?.runbook ?? [])

it.for<[string, Partial<Operation>, string[]]>([
  ['all is well, up to each bound', {}, []],
  ['the queue fails', { failing: ['queue'], degraded: ['auditRole'] }, ['VeridictDatabaseAway']],
  ['a protection does not hold', { degraded: ['auditRole'] }, ['VeridictProtectionDegraded']],
  ['the storage is away', { failing: ['storage'], storageFreeBytes: null }, ['VeridictStorageAway']],
  ['the storage is almost full', { isStorageLow: true }, ['VeridictStorageFull']],
  ['no worker runs', { workers: 0 }, ['VeridictNoWorker']],
  [
    'a program is silent',
    { servers: [{ id: 'w:1', role: 'worker', version: '0.2.0', seenAt: at, isSilent: true }] },
    ['VeridictWorkersDie'],
  ],
  ['a file waits for long', { oldestWaitingSeconds: waiting + 1 }, ['VeridictFilesWait']],
  ['a file was not stored', { failedStorage: 1 }, ['VeridictFilesNotStored']],
  ['an e-mail was given up', { mails: { waiting: 0, parked: 1 } }, ['VeridictMailsParked']],
  ['there is no backup', { backupAt: null }, ['VeridictBackupOld']],
  ['the backup is old', { backupAt: before(lastRun('backup') + 1) }, ['VeridictBackupOld']],
  ...['tick', 'sweep', 'purge'].map((job): [string, Partial<Operation>, string[]] => [
    `no ${job} ran`,
    { lastRuns: [{ job, at: before(lastRun(job) + 1) }] },
    ['VeridictMaintenanceStopped'],
  ]),
])('an operator is sent to the right paragraph when %s', ([, change, expected]) => {
  expect(runbooks(change)).toEqual(expected)
})

it('a newer version and what it leaves for later are named', () => {
  const ahead = [{ name: '0041-next', version: '0.3.0', at: '2026-06-01T11:00:00.000Z' }]
  const version = operationLines({ ...well, ahead, unfinished: ['0042-old'] }).at(-1)?.value
  expect(version).toBe(
    '0.2.0, schema 0040-indexes; 0041-next of version 0.3.0 was added 1 hour ago; ' +
      'once no older version runs, "veridict migrate --finish" removes what is unused',
  )
})
