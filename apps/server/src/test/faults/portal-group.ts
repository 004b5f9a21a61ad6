import { createHash } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSettled } from '@veridict/contract/model/submission-status'
import type { Kysely } from 'kysely'
import pino from 'pino'
import { expect } from 'vitest'
import { openDatabase } from '#db/database.ts'
import type { Database, SubmissionRow, UserRow } from '#db/tables.ts'
import { systemClock } from '#drivers/clock.ts'
import { createSmtpMailer } from '#drivers/mail/smtp.ts'
import { createMetrics } from '#drivers/metrics.ts'
import { openLocalDisk } from '#drivers/storage/local-disk.ts'
import { createTokens } from '#drivers/tokens.ts'
import { noTracing } from '#drivers/tracing.ts'
import { sendPendingMails } from '#services/mail/send-pending-mails.ts'
import {
  findOrphanedFiles,
  findMailViolations,
  findViolationsWhenSettled,
  outcomeOf,
  type Outcome,
} from '#test/chaos/invariants.ts'
import { buildAccessToken, buildAdministrator, buildDictionary, buildUser } from '#test/factories.ts'
import { startPortalProcess, type PortalProcess } from '#test/portal-process.ts'
import { startSmtpSink, type SmtpSink } from '#test/smtp-sink.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { uploadForm } from '#test/upload-form.ts'

/** How often a fault is tried: some times in each run of the tests, and FAULT_ROUNDS times when it is set. */
export const roundsOf = (short: number): number => Number(process.env['FAULT_ROUNDS'] ?? short)

/** For a test that starts portals again and again, on a busy machine. */
export const FAULT_TIMEOUT = 180_000 * roundsOf(1)

/** Numbers from 0 to 1, the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

export type SentUpload = {
  fileName: string
  sha256: string
  /** null without a response, or with a refusal. */
  id: number | null
  /** The status of the response, or 0. */
  status: number
  /** The code of the network error, such as ECONNREFUSED. */
  error: string | null
}

/**
 * Portals in their own processes that are disturbed, with one database, one storage, one mail server and one
 * clerk.
 */
export type PortalGroup = {
  db: Kysely<Database>
  /** DATA_DIR of all portals; the storage is in it. */
  folder: string
  clerk: UserRow
  headers: Record<string, string>
  mails: SmtpSink
  /** Everything that was sent, in order. */
  sent: SentUpload[]
  start(
    settings?: Record<string, string>,
    roles?: string,
    options?: { preload?: string },
  ): Promise<PortalProcess>
  /** Sends a file and records it; never rejects. */
  upload(portal: PortalProcess, content: string | Uint8Array, signal?: AbortSignal): Promise<SentUpload>
  /** Records the outcome of a file with this content without faults, to compare later ones with it. */
  recordOutcome(portal: PortalProcess, content: string): Promise<void>
  rows(): Promise<SubmissionRow[]>
  /** Whether there are submissions, and none is in progress. */
  isSettled(): Promise<boolean>
  /** Waits until all is settled, then checks all invariants. `kills`: processes that died. */
  expectInvariants(options: { kills: number }): Promise<void>
  close(): Promise<void>
}

const API_KEY = 'fault-test-key'
const TOKEN_SECRET = 's'.repeat(32)

/** Portals on a test database, with the outcomes of files with these contents recorded. */
export async function createGroupWithOutcomes(contents: readonly string[]): Promise<PortalGroup> {
  const database = await createTestDatabase()
  const group = await createPortalGroup(database.url)
  const portal = await group.start()
  for (const content of contents) await group.recordOutcome(portal, content)
  await portal.end('SIGTERM')
  return {
    ...group,
    async close() {
      await group.close()
      await database.drop()
    },
  }
}

/** The portals use the database at `portalUrl`, which may be a proxy of the one at `databaseUrl`. */
export async function createPortalGroup(databaseUrl: string, portalUrl = databaseUrl): Promise<PortalGroup> {
  const folder = await mkdtemp(join(tmpdir(), 'veridict-faults-'))
  await chmod(folder, 0o755)
  const db = openDatabase(databaseUrl)
  await buildAdministrator(db)
  const clerk = await buildUser(db)
  const dictionaryId = (await buildDictionary(db, { companyId: clerk.companyId ?? 0 })).id
  const tokens = createTokens({ secret: TOKEN_SECRET, accessTokenMinutes: 60 }, systemClock)
  const headers = {
    ApiKey: API_KEY,
    authorization: `Bearer ${await buildAccessToken({ db, tokens }, clerk)}`,
  }
  const mails = await startSmtpSink()
  const portals: PortalProcess[] = []
  const sent: SentUpload[] = []
  const outcomes = new Map<string, Outcome>()
  const rows = () => db.selectFrom('submissions').selectAll().orderBy('id').execute()

  const upload: PortalGroup['upload'] = async ({ address }, content, signal) => {
    const fileName = `file-${sent.length}.csv`
    const record: SentUpload = { fileName, sha256: hashOf(content), id: null, status: 0, error: null }
    sent.push(record)
    const form = await uploadForm(['dataDictionaryId', String(dictionaryId)], ['file', content, fileName])
    const request = {
      method: 'POST',
      headers: { ...headers, ...form.headers },
      body: new Uint8Array(form.body),
    }
    try {
      const reply = await fetch(`${address}/api/FileSubmission`, { ...request, ...(signal && { signal }) })
      record.status = reply.status
      const { value } = (await reply.json()) as { value?: { id: number } }
      record.id = value?.id ?? null
    } catch (error) {
      record.error = codeOf(error)
    }
    return record
  }
  return {
    db,
    folder,
    clerk,
    headers,
    mails,
    sent,
    rows,
    upload,
    async start(given = {}, roles, options) {
      const settings = {
        API_KEY,
        TOKEN_SECRET,
        UPLOADS_PER_MINUTE: '100000',
        DATABASE_URL: portalUrl,
        DATA_DIR: folder,
        SMTP_URL: mails.url,
        LOG_LEVEL: 'fatal',
        ...given,
      }
      const portal = await startPortalProcess(settings, roles, options)
      portals.push(portal)
      return portal
    },
    async recordOutcome(portal, content) {
      const { id } = await upload(portal, content)
      if (id === null) throw new Error('The portal refused the file')
      for (;;) {
        const row = (await rows()).find((found) => found.id === id)
        if (row !== undefined && row.settledAt !== null) break
        await sleep(50)
      }
      outcomes.set(hashOf(content), await outcomeOf(db, id))
    },
    async isSettled() {
      const all = await rows()
      return all.length > 0 && all.every(({ status }) => isSettled(status))
    },
    async expectInvariants({ kills }) {
      const uploads = sent.flatMap((upload) => {
        const outcome = outcomes.get(upload.sha256)
        return outcome === undefined ? [] : [{ ...upload, outcome }]
      })
      const system = { db, storage: openLocalDisk(join(folder, 'storage')), uploads }
      expect(await findViolationsWhenSettled(system)).toEqual([])
      await sendAllMails(db, mails)
      const received = mails.taken.map(({ messageId }) => ({ messageId, subject: '' }))
      expect(await findMailViolations(system, received, kills)).toEqual([])
      const log = pino({ level: 'silent' })
      expect(await findOrphanedFiles(system, { env: { retentionDays: 90 } as never, log })).toEqual([])
    },
    async close() {
      for (const portal of portals) await portal.end('SIGKILL')
      await mails.close()
      await db.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** An e-mail whose process died is due after two minutes; this does not wait for them. */
async function sendAllMails(db: Kysely<Database>, { url }: SmtpSink): Promise<void> {
  await db
    .updateTable('mails')
    .where('sentAt', 'is', null)
    .set({ nextAttemptAt: new Date(0) })
    .execute()
  const mailer = createSmtpMailer(url, 'Veridict <v@example.test>')
  const log = pino({ level: 'silent' })
  await sendPendingMails({ db, mailer, log, metrics: createMetrics(), tracing: noTracing })
  await mailer.close()
}

const codeOf = (error: unknown): string => {
  const { code, name, cause } = error as { code?: string; name: string; cause?: unknown }
  return cause === undefined ? (code ?? name) : codeOf(cause)
}
