import { setTimeout as sleep } from 'node:timers/promises'
import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PortalProcess } from '#test/portal-process.ts'
import { findRow } from '#test/submission-fixture.ts'
import { createTestPortals, type TestPortals } from '#test/test-portals.ts'
import { buildUploader, type Uploader } from '#test/uploader.ts'

let portals: TestPortals
let portal: PortalProcess
let busy: Uploader
let other: Uploader

beforeAll(async () => {
  portals = await createTestPortals({ VALIDATOR_PROCESSES: '1' })
  const fields = [{ itemName: 'Amount', ruleType: ruleNumbers.number }]
  busy = await buildUploader(portals.db, { fields })
  other = await buildUploader(portals.db, { fields })
  portal = await portals.start()
})
afterAll(() => portals.close())

const upload = (uploader: Uploader, content: string) => uploader.upload(portal, 'claims.csv', content)

const { Uploaded, InProcess, ValidationFailed, IngestionSuccess } = SubmissionStatus
const statusOf = async (id: number) => (await findRow(portals.db, id)).status

async function finalStatusOf(id: number): Promise<SubmissionStatus> {
  for (;;) {
    const status = await statusOf(id)
    if (status === ValidationFailed || status === IngestionSuccess) return status
    await sleep(20)
  }
}

const download = ({ headers }: Uploader, id: number, kind: string) =>
  fetch(`${portal.address}/api/ErrorFile/${id}/${kind}`, { headers })

/**
 * A file of wrong numbers that takes a while to read, and longer to make error files of. They differ, because
 * what is wrong with a text that was there before is known.
 */
const largeFile = `Amount\n${Array.from({ length: 200_000 }, (_, row) => `none ${row}\n`).join('')}`

/** So many that a slow machine has not read the last one when the small file of another company is stored. */
const LARGE_FILES = 4

describe('While one company has more work than the portal can do', () => {
  it("another company's file is validated before the first one's", async () => {
    const large: number[] = []
    while (large.length < LARGE_FILES) large.push(await upload(busy, largeFile))
    const small = await upload(other, 'Amount\n1\n')
    expect(await finalStatusOf(small)).toBe(IngestionSuccess)
    expect([Uploaded, InProcess]).toContain(await statusOf(large.at(-1) ?? 0))
    for (const id of large) expect(await finalStatusOf(id)).toBe(ValidationFailed)

    const bad = await upload(other, 'Amount\nnone\n')
    let finishedFiles = 0
    const downloads = large.slice(0, 3).map(async (id) => {
      const { status } = await download(busy, id, 'Simple')
      finishedFiles++
      return status
    })
    expect(await finalStatusOf(bad)).toBe(ValidationFailed)
    expect((await download(other, bad, 'Highlighted')).status).toBe(200)
    expect(finishedFiles).toBeLessThan(downloads.length)
    expect(await Promise.all(downloads)).toEqual([200, 200, 200])
  })
})
