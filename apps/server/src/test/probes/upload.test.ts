import { gzipSync } from 'node:zlib'
import { uploadLimits } from '@veridict/contract/limits'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { ErrorType } from '@veridict/contract/model/verdict'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserRow } from '#platform/database/tables.ts'
import { buildDictionary, buildUser } from '#test/factories.ts'
import { expectRefusal } from '#test/probes/expect-refusal.ts'
import { listen, rawRequest } from '#test/probes/raw-request.ts'
import { workbookParts, zip } from '#test/probes/small-workbook.ts'
import { problem, verdictOf } from '#test/probes/verdict-of.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { type FormPart, uploadForm } from '#test/upload-form.ts'

/** Attacks on uploads, numbered as in docs/PROBES.md. */
let portal: TestApp
let dictionaryId: number
beforeAll(async () => {
  portal = await createTestApp({ uploadsPerMinute: 100_000 })
  dictionaryId = (await buildDictionary(portal.deps.db, { companyId: portal.clerk.companyId ?? 0 })).id
})
afterAll(() => portal.close())

const MIB = 1024 * 1024

describe('Probe of an upload', () => {
  const csv = 'Name,Amount\nAda,1.50\n'
  const send = (body: Buffer, headers: Record<string, string>) =>
    portal.call('POST', '/api/FileSubmission', { as: portal.clerk, body, headers })
  const upload = async (...parts: FormPart[]) => {
    const { body, headers } = await uploadForm(['dataDictionaryId', String(dictionaryId)], ...parts)
    return send(body, headers)
  }

  it('39: a body without end and without a length is cut', async () => {
    const { port, close } = await listen(portal)
    const head = ['--x', 'Content-Disposition: form-data; name="file"; filename="a.csv"', '', ''].join('\r\n')
    const chunk = Buffer.alloc(MIB, 'a')
    const reply = await rawRequest(port, {
      method: 'POST',
      path: '/api/FileSubmission',
      headers: {
        ApiKey: portal.deps.env.apiKey,
        authorization: `Bearer ${await portal.tokenOf(portal.clerk)}`,
        'content-type': 'multipart/form-data; boundary=x',
        'transfer-encoding': 'chunked',
      },
      async *body(isReplied) {
        yield Buffer.from(head)
        for (let sent = 0; sent < 500 && !isReplied(); sent++) yield chunk
      },
    })
    await close()
    expect([reply.status, JSON.parse(reply.body)]).toEqual([413, { message: uploadMessages.tooLarge }])
    // What the sockets hold comes on top.
    expect(reply.sent).toBeLessThan(uploadLimits.maxBytes + 32 * MIB)
  })

  it.for([
    { why: 'an ending in capitals', name: 'claims.CSV', content: csv, status: 202 },
    { why: 'another ending', name: 'claims.txt', content: csv, status: 415 },
    { why: 'two endings', name: 'claims.csv.exe', content: csv, status: 415 },
    { why: 'a program of Windows', name: 'claims.csv', content: 'MZ\x90\0\x03\0\0\0', status: 415 },
    { why: 'a program of Linux', name: 'claims.csv', content: '\x7fELF\x02\x01\x01\0', status: 415 },
  ])('40: $why ($status)', async ({ name, content, status }) => {
    expect((await upload(['file', Buffer.from(content, 'latin1'), name])).statusCode).toBe(status)
  })

  it.for([
    { why: 'an old workbook', bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], name: 'a.csv' },
    { why: 'a workbook named .csv', bytes: [...zip(workbookParts())], name: 'a.csv' },
    { why: 'a table named .xlsx', bytes: [...Buffer.from(csv)], name: 'a.xlsx' },
  ])('40: $why is stored, and gets a file problem', async ({ bytes, name }) => {
    expect(await verdictOf(portal, Buffer.from(bytes), name)).toMatchObject(problem(ErrorType.Unreadable))
  })

  it.for([
    ['a%00.csv', 202],
    ['a%22; x=%22b.csv', 202],
    ['%0D%0AX: y.csv', 202],
    ['C:\\Windows\\a.csv', 202],
    ['.csv', 202],
    ['..', 400],
  ] as const)('41: the file name %s is a label or refused', async ([name, status]) => {
    const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${csv}\r\n`
    const field = `--x\r\nContent-Disposition: form-data; name="dataDictionaryId"\r\n\r\n${dictionaryId}\r\n`
    const reply = await send(Buffer.from(`${part}${field}--x--\r\n`), {
      'content-type': 'multipart/form-data; boundary=x',
    })
    expectRefusal(reply, [status], name)
    if (status === 202) expect(reply.json().value.fileName).not.toMatch(/[\p{Cc}/\\]/u)
  })

  it('44: a compressed body is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * MIB, 'a'))
    const zipped = { 'content-encoding': 'gzip' }
    const json = { ...zipped, 'content-type': 'application/json' }
    const form = { ...zipped, 'content-type': 'multipart/form-data; boundary=x' }
    const login = await portal.call('POST', '/api/Login', { body: bomb, headers: json })
    expectRefusal(login, [400, 415], 'JSON')
    expectRefusal(await send(bomb, form), [400, 415], 'an upload')
  })

  it('65: one person’s uploads are limited, and other people go on', async () => {
    const few = await createTestApp({ uploadsPerMinute: 5 })
    try {
      const colleague = await buildUser(few.deps.db, { companyId: few.clerk.companyId })
      const { id } = await buildDictionary(few.deps.db, { companyId: few.clerk.companyId ?? 0 })
      const { body, headers } = await uploadForm(['dataDictionaryId', String(id)], ['file', csv, 'a.csv'])
      const statusAs = async (as: UserRow) =>
        (await few.call('POST', '/api/FileSubmission', { as, body, headers })).statusCode
      const statuses = []
      for (let number = 0; number < 12; number++) statuses.push(await statusAs(few.clerk))
      expect(statuses).toEqual([...Array(10).fill(202), 429, 429])
      expect(await statusAs(colleague)).toBe(202)
      // Others of the same person, which a slow client sends.
      const other = await buildUser(few.deps.db, { companyId: few.clerk.companyId })
      const ends = Array.from({ length: 10 }, () =>
        few.deps.limits.unfinishedUploads.enterNow(String(other.id)),
      )
      expect(await statusAs(other)).toBe(429)
      ends[0]?.()
      expect(await statusAs(other)).toBe(202)
      expect(await statusAs(other)).toBe(202)
    } finally {
      await few.close()
    }
  })
})
