import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StatusPush } from '@veridict/contract/api/live'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { findRow } from '#test/submission-fixture.ts'
import { buildUploader, type Uploader } from '#test/uploader.ts'
import { startWholePortal, type WholePortal } from '#test/whole-portal.ts'

let portal: WholePortal
let uploader: Uploader

beforeAll(async () => {
  portal = await startWholePortal({ UPLOADS_PER_MINUTE: '100000' })
  uploader = await buildUploader(portal.deps.db)
})
afterAll(() => portal.close())

const upload = (fileName: string, content: string) => uploader.upload(portal, fileName, content)

async function settled(id: number) {
  for (;;) {
    const row = await findRow(portal.deps.db, id)
    if (row.settledAt !== null) return row
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Opens a live connection, and collects the pushes in `heard`. */
async function listen(): Promise<{ heard: StatusPush[]; close(): void }> {
  const socket = new WebSocket(`ws://${portal.host}/ws`)
  const heard: StatusPush[] = []
  socket.on('message', (data) => heard.push(JSON.parse((data as Buffer).toString()) as StatusPush))
  await new Promise((resolve) => socket.once('open', resolve))
  const { clerk, headers, token } = uploader
  const { ApiKey } = headers
  socket.send(JSON.stringify({ ApiKey, ClientRole: 'Consumer', UserId: clerk.id, AccessToken: token }))
  return { heard, close: () => socket.terminate() }
}

describe('A file', () => {
  it('is accepted, validated, ingested, and announced live and by e-mail', async () => {
    const { heard, close } = await listen()
    const id = await upload('claims.csv', 'Name,Amount\nAda,1.50\nGrace,2\n')
    expect(await settled(id)).toMatchObject({ status: 4, recordsCount: 2 })
    while (heard.at(-1)?.FilesStatus !== 4) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(heard.filter(({ FileId }) => FileId === id).at(-1)).toEqual({
      FileId: id,
      FilesStatus: 4,
      RecordCount: 2,
    })
    close()
    const mails = async () =>
      (await readdir(join(portal.dataDir, 'outbox')).catch(() => [])).filter((name) => name.endsWith('.eml'))
    while ((await mails()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await mails()).toHaveLength(1)
  })

  it('gets its errors by cell, and error files that open', async () => {
    const id = await upload('claims.csv', 'Name,Amount\n,1.50\nGrace,"2,75"\nAda,1\n')
    expect(await settled(id)).toMatchObject({
      status: 2,
      errorType: 0,
      recordsCount: 3,
      errorRowCount: 2,
      cellErrorCount: 2,
    })
    const { headers } = uploader
    const report = await fetch(`${portal.address}/api/FileSubmission/${id}/Errors`, { headers })
    const { value } = (await report.json()) as { value: { rows: { data: unknown[] } } }
    expect(value.rows.data).toMatchObject([
      { rowNumber: 2, columnValidationErrors: [{ columnPosition: 'A', label: 'Name', value: '' }] },
      {
        rowNumber: 3,
        columnValidationErrors: [
          { columnPosition: 'B', label: 'Amount', value: '2,75', error: "Use '.' as the decimal separator." },
        ],
      },
    ])
    for (const kind of ['Simple', 'Highlighted']) {
      const file = await fetch(`${portal.address}/api/ErrorFile/${id}/${kind}`, { headers })
      expect(file.status).toBe(200)
      const bytes = Buffer.from(await file.arrayBuffer())
      expect(bytes.subarray(0, 2).toString()).toBe('PK')
      expect(bytes.length).toBe(Number(file.headers.get('content-length')))
    }
  })

  it('is processed once, among 60 at the same time', async () => {
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, index) => upload(`${index}.csv`, `Name,Amount\nAda,${index}\n`)),
    )
    const rows = await Promise.all(ids.map(settled))
    expect(rows.map(({ status }) => status)).toEqual(ids.map(() => 4))
    const moves = await portal.deps.db
      .selectFrom('submissionMoves')
      .selectAll()
      .where('submissionId', 'in', ids)
      .execute()
    expect(moves).toHaveLength(60 * 4)
    const mails = await portal.deps.db
      .selectFrom('mails')
      .selectAll()
      .where('subject', 'like', 'Accepted: %.csv (1 record)')
      .execute()
    expect(mails).toHaveLength(60)
  })

  it('gets a sentence if it is no data file', async () => {
    const id = await upload('claims.xlsx', 'this is no workbook')
    expect(await settled(id)).toMatchObject({
      status: 2,
      errorType: 3,
      errorMessage: expect.stringContaining('named .xlsx'),
    })
  })
})
