import { uploadLimits } from '@veridict/contract/limits'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { apiClient, type ApiClient } from './api-client.ts'
import { asCsv, goodClaims, goodRow } from './claims.ts'
import { startPortal, type PortalProcess } from './portal.ts'

let portal: PortalProcess
let clerk: ApiClient

beforeAll(async () => {
  portal = await startPortal(inject('demoData'))
  clerk = await apiClient(portal.url, 'clerk@example.com')
})
afterAll(() => portal?.close())

describe('A killed portal', () => {
  // Before its check, and during it; `chaos.mjs` kills at any time.
  it.for([0, 150])(
    'finishes an upload that was accepted %i ms before, after a restart',
    async (milliseconds) => {
      const dictionaryId = await clerk.dictionary('Medical claims')
      const file = largestClaims()
      const { status, body } = await clerk.upload(
        { name: `large ${milliseconds}.csv`, bytes: file.bytes },
        dictionaryId,
      )
      expect(status).toBe(202)
      await sleep(milliseconds)
      await portal.kill()
      await portal.start()
      const item = await clerk.settled(body.value!.id)
      expect(item).toMatchObject({ status: SubmissionStatus.IngestionSuccess, recordsCount: file.rows })
    },
  )
})

describe('A portal whose database server alone is stopped', () => {
  it.for(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'is not ready until it is back, without a restart of its own: %s',
    async (signal) => {
      const dictionaryId = await clerk.dictionary('Medical claims')
      const upload = async (when: string) => {
        const file = { name: `${signal} ${when}.csv`, bytes: asCsv(goodClaims) }
        const { status, body } = await clerk.upload(file, dictionaryId)
        expect(status).toBe(202)
        return body.value!.id
      }
      const before = await upload('before')
      const settings = readFileSync(settingsFile())
      try {
        // Until it is restored, no server can start: the portal starts one in 0.2 s, which a poll can miss.
        appendFileSync(settingsFile(), '\nunknown_setting = on\n')
        process.kill(databaseServer(), signal)
        await expect.poll(readiness).toBe(503)
      } finally {
        writeFileSync(settingsFile(), settings)
      }
      await expect.poll(readiness).toBe(200)
      for (const id of [before, await upload('after')])
        await expect(clerk.settled(id)).resolves.toMatchObject({ status: SubmissionStatus.IngestionSuccess })
    },
  )
})

const readiness = async (): Promise<number> => (await fetch(`${portal.url}/api/ready`)).status

const dataFolder = (): string => join(portal.dataDir, 'postgres/cluster/data')
/** What the embedded database reads when it starts. */
const settingsFile = (): string => join(dataFolder(), 'postgresql.conf')
/** The process id of the embedded database. */
const databaseServer = (): number =>
  Number(readFileSync(join(dataFolder(), 'postmaster.pid'), 'utf8').split('\n')[0])

/** As many good rows as fit into the largest allowed file. */
function largestClaims(): { bytes: Uint8Array; rows: number } {
  const header = goodClaims[0]!
  const perRow = asCsv([goodRow(1)]).length
  const rows = Math.floor((uploadLimits.maxBytes - asCsv([header]).length) / perRow)
  return { bytes: asCsv([header, ...Array.from({ length: rows }, (_, index) => goodRow(index + 1))]), rows }
}
