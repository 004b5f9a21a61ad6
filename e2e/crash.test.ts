import { uploadLimits } from '@veridict/contract/limits'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { apiClient, type ApiClient } from './api-client.ts'
import { asCsv, goodClaims } from './claims.ts'
import { startPortal, type Portal } from './portal.ts'

let portal: Portal
let clerk: ApiClient

beforeAll(async () => {
  portal = await startPortal(inject('demoData'))
  clerk = await apiClient(portal.url, 'clerk@example.com')
})
afterAll(() => portal?.close())

describe('A killed portal', () => {
  it.for([0, 30, 150, 400])(
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

/** As many good rows as fit into the largest allowed file. */
function largestClaims(): { bytes: Uint8Array; rows: number } {
  const [header, row] = [goodClaims[0]!, goodClaims[1]!]
  const perRow = asCsv([row]).length
  const rows = Math.floor((uploadLimits.maxBytes - asCsv([header]).length) / perRow)
  return { bytes: asCsv([header, ...Array.from({ length: rows }, () => row)]), rows }
}
