import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSettled } from '@veridict/contract/model/submission-status'
import pino from 'pino'
import { expect } from 'vitest'
import type { Db, SubmissionRow } from '#platform/database/tables.ts'
import { createSmtpMailer } from '#platform/mail/smtp.ts'
import { createMetrics } from '#platform/telemetry/metrics.ts'
import { openLocalDisk } from '#platform/storage/local-disk.ts'
import { noTracing } from '#platform/telemetry/tracing.ts'
import { sendPendingMails } from '#mail/send-pending-mails.ts'
import { findViolationsWhenSettled } from '#test/chaos/find-violations.ts'
import type { Outcome } from '#test/chaos/invariants.ts'
import { findMailViolations } from '#test/chaos/mail-violations.ts'
import { outcomeOf } from '#test/chaos/outcome.ts'
import { findOrphanedFiles } from '#test/chaos/stored-files.ts'
import type { PortalProcess } from '#test/portal-process.ts'
import { startSmtpSink, type SmtpSink } from '#test/smtp-sink.ts'
import { createTestPortals, type TestPortals } from '#test/test-portals.ts'

/** How often a test tries its fault: `short` times, or FAULT_ROUNDS times where that is set. */
export const roundsOf = (short: number): number => Number(process.env['FAULT_ROUNDS'] ?? short)

/** Enough for a test that starts many portals on a busy machine. */
export const FAULT_TIMEOUT_MILLISECONDS = 180_000 * roundsOf(1)

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

export type SentUpload = {
  fileName: string
  sha256: string
  /** null if there was no response, or a refusal. */
  id: number | null
  /** The status of the response, or 0. */
  status: number
  /** The code of the network error, such as ECONNREFUSED. */
  error: string | null
}

/** Portals that get faults; they share a storage in their folder and a mail server. */
export type PortalGroup = TestPortals & {
  mails: SmtpSink
  /** The folder of the uploader's company. */
  storageFolder: string
  /** Everything that was sent, in order. */
  sent: SentUpload[]
  /** Sends a file and records it; never rejects. */
  upload(portal: PortalProcess, content: string | Uint8Array, signal?: AbortSignal): Promise<SentUpload>
  /** Records the outcome of a file with this content without faults, to compare later ones with it. */
  recordOutcome(portal: PortalProcess, content: string): Promise<void>
  rows(): Promise<SubmissionRow[]>
  /** Whether there are submissions, and none is in progress. */
  isSettled(): Promise<boolean>
  /** Waits until all is settled, then checks all invariants. `kills`: how many processes were killed. */
  expectInvariants(options: { kills: number }): Promise<void>
}

/** Records the outcomes of files with these contents. */
export async function recordOutcomes(group: PortalGroup, contents: readonly string[]): Promise<void> {
  const portal = await group.start()
  for (const content of contents) await group.recordOutcome(portal, content)
  await portal.end('SIGTERM')
}

/** `databaseUrl`: a migrated database; by default a new one. */
export async function createPortalGroup(databaseUrl?: string): Promise<PortalGroup> {
  const mails = await startSmtpSink()
  const portals = await createTestPortals({ SMTP_URL: mails.url }, databaseUrl)
  const { db, folder, uploader } = portals
  const { storageFolder } = await db
    .selectFrom('companies')
    .where('id', '=', uploader.clerk.companyId)
    .select('storageFolder')
    .executeTakeFirstOrThrow()
  const sent: SentUpload[] = []
  const outcomes = new Map<string, Outcome>()
  const rows = () => db.selectFrom('submissions').selectAll().orderBy('id').execute()

  const upload: PortalGroup['upload'] = async (portal, content, signal) => {
    const fileName = `file-${sent.length}.csv`
    const record: SentUpload = { fileName, sha256: hashOf(content), id: null, status: 0, error: null }
    sent.push(record)
    try {
      const reply = await uploader.send(portal, fileName, content, signal && { signal })
      record.status = reply.status
      const { value } = (await reply.json()) as { value?: { id: number } }
      record.id = value?.id ?? null
    } catch (error) {
      record.error = codeOf(error)
    }
    return record
  }
  return {
    ...portals,
    mails,
    storageFolder,
    sent,
    rows,
    upload,
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
      expect(await findMailViolations(system, mails.acceptedMails, kills)).toEqual([])
      const log = pino({ level: 'silent' })
      expect(await findOrphanedFiles(system, { env: { retentionDays: 90 } as never, log })).toEqual([])
    },
    async close() {
      await portals.close()
      await mails.close()
    },
  }
}

/** An e-mail whose process died is due after two minutes; this does not wait for them. */
async function sendAllMails(db: Db, { url }: SmtpSink): Promise<void> {
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
