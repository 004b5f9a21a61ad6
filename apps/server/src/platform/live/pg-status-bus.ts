import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import pg from 'pg'
import { runDeferred, runPrepared } from '#platform/database/prepared-statements.ts'
import type { Db, Trx } from '#platform/database/tables.ts'
import { asyncCommit } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import type { JobBus, SubmissionWork } from '#platform/jobs/job-bus.ts'
import {
  LEASE_HOLDER_LOCK,
  newLeaseOf,
  type Leases,
  SECRET_LOCK,
  WORKER_LOCK,
} from '#platform/jobs/leases.ts'
import { programName } from '#platform/live/programs.ts'
import type { EndEvent, StatusBus, StatusEvent } from '#platform/live/status-bus.ts'

/** The bus, with members that only its own process uses. */
export type PgStatusBus = StatusBus &
  JobBus & {
    /** Leases that name this process. A lock on the bus's connection shows that the process is running. */
    leases: Leases
    close(): Promise<void>
  }

/** The names of both channels are fixed: servers of earlier versions listen on them during an upgrade. */
const CHANNEL = 'veridict_news'
/** A separate channel, because servers of the earliest versions crash at unknown messages on `CHANNEL`. */
const JOB_CHANNEL = 'veridict_jobs'
/** A broken connection may give no error, so it is queried this often. */
const KEEPALIVE_MILLISECONDS = 10_000
const QUERY_MILLISECONDS = 5_000
const MAX_PAUSE_MILLISECONDS = 2_000

/** What is to be done in a status: its event also wakes the workers that do it. */
export const nextWork: Partial<Record<SubmissionStatus, SubmissionWork>> = {
  [SubmissionStatus.Uploaded]: 'validateSubmission',
  [SubmissionStatus.ValidationPassed]: 'ingestSubmission',
}

type Listener = Parameters<StatusBus['subscribe']>[0]
/** A later version may send other messages, which are ignored. */
type Message = { status: StatusEvent; hasJob?: false } | { end: EndEvent }

type BusOfProcess = { isWorker: boolean; isWeb?: boolean; secretNumber?: number | undefined }

/**
 * By NOTIFY, on a connection of its own, reopened when it is lost; then listeners get `onGap`. While the
 * database is down, events are dropped. The connection also shows others that this process is running, with
 * `isWorker` that it takes jobs, and with which secret it signs tokens.
 */
export function createPgStatusBus(
  url: string,
  db: Db,
  log: Deps['log'],
  { isWorker, isWeb = false, secretNumber }: BusOfProcess,
): PgStatusBus {
  const listeners = new Set<Listener>()
  const wakeListeners = new Set<Parameters<JobBus['onWake']>[0]>()
  const holder = randomInt(1, 2 ** 31)
  const closing = new AbortController()
  let isConnected = false

  const wake = (work: string | undefined, companyId?: number) => {
    if (work) for (const listener of wakeListeners) listener(work, companyId)
  }
  const deliver = (payload: string) => {
    const message = JSON.parse(payload) as Message
    if ('status' in message && message.hasJob !== false)
      wake(nextWork[message.status.FilesStatus], message.status.companyId)
    for (const listener of listeners) {
      if ('status' in message) listener.onStatus(message.status)
      else if ('end' in message) listener.onEnd(message.end)
    }
  }
  const notify = async (message: Message, transaction: Trx | undefined) => {
    const statement = sql`select pg_notify(${CHANNEL}, ${JSON.stringify(message)})`
    if (transaction !== undefined) await runDeferred(transaction, statement)
    // Asynchronous commit: it changes no row, and a crash of the database loses the event anyway.
    else await runPrepared(db, sql`${statement} where ${asyncCommit}`)
  }
  const locks: [number, number][] = [[LEASE_HOLDER_LOCK, holder]]
  if (isWorker) locks.push([WORKER_LOCK, holder])
  if (secretNumber !== undefined) locks.push([SECRET_LOCK, secretNumber])
  const name = programName(isWorker ? (isWeb ? 'web+worker' : 'worker') : 'web')
  const listening = listenUntilClosed({ url, name, locks }, closing.signal, {
    onNotification: (channel, payload) => (channel === JOB_CHANNEL ? wake(payload) : deliver(payload)),
    onState: (connected, isReturn) => {
      isConnected = connected
      if (connected) for (const listener of wakeListeners) listener(null)
      if (connected && isReturn) for (const listener of listeners) listener.onGap?.()
    },
    onError: (error) => log.warn({ err: error }, 'the connection for events was lost'),
  })

  return {
    publish: (status, transaction, hasJob = true) =>
      notify(hasJob ? { status } : { status, hasJob }, transaction),
    publishEnd: (end, transaction) => notify({ end }, transaction),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    wake: (work, transaction) =>
      runDeferred(transaction ?? db, sql`select pg_notify(${JOB_CHANNEL}, ${work})`),
    onWake(listener) {
      wakeListeners.add(listener)
      return () => wakeListeners.delete(listener)
    },
    leases: { next: () => newLeaseOf(isConnected ? holder : null) },
    async close() {
      closing.abort()
      await listening
    },
  }
}

type Events = {
  onNotification(channel: string, payload: string): void
  onState(isConnected: boolean, isReturn: boolean): void
  onError(error: Error): void
}

/** `locks`: class and number of the advisory locks to hold. */
type Connection = { url: string; name: string; locks: readonly (readonly [number, number])[] }

async function listenUntilClosed(
  connection: Connection,
  closing: AbortSignal,
  events: Events,
): Promise<void> {
  let isReturn = false
  for (let pause = 250; !closing.aborted; pause = Math.min(2 * pause, MAX_PAUSE_MILLISECONDS)) {
    try {
      await listenOnce(connection, closing, {
        ...events,
        onState(connected) {
          events.onState(connected, isReturn)
          isReturn = true
          pause = 250
        },
      })
    } catch (error) {
      if (!closing.aborted) events.onError(error as Error)
    }
    events.onState(false, true)
    await sleep(pause, undefined, { signal: closing }).catch(() => {})
  }
}

/** Settles when the connection ends. */
async function listenOnce(
  { url, name, locks }: Connection,
  closing: AbortSignal,
  events: Events,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: QUERY_MILLISECONDS,
    query_timeout: QUERY_MILLISECONDS,
  })
  const ended = new Promise<void>((resolve, reject) => {
    client.on('error', reject)
    client.on('end', resolve)
    closing.addEventListener('abort', () => resolve(), { once: true })
  })
  // An error before the first `await` of the promise must not be an unhandled rejection.
  ended.catch(() => {})
  client.on('notification', ({ channel, payload }) => events.onNotification(channel, payload ?? ''))
  try {
    await client.connect()
    for (const lock of locks) await client.query('select pg_advisory_lock_shared($1, $2)', [...lock])
    await client.query(`listen ${CHANNEL}; listen ${JOB_CHANNEL}`)
    events.onState(true, false)
    await Promise.race([ended, keepAlive(client, closing)])
  } finally {
    // Not `end()`, which would wait for a server that hangs.
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }
}

async function keepAlive(client: pg.Client, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    await sleep(KEEPALIVE_MILLISECONDS, undefined, { signal: closing }).catch(() => {})
    if (!closing.aborted) await client.query('select 1')
  }
}
