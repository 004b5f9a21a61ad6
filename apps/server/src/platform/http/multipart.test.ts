import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { uploadMessages } from '@veridict/contract/messages/upload'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replyWithErrors } from '#platform/http/error-reply.ts'
import { closeAfterRefusal, uploadParts } from '#platform/http/multipart.ts'

const MAX_BYTES = 100_000
const TOO_LARGE = 'Too large.'
const BOUNDARY = 'xyz'

let app: FastifyInstance
let url: string
let refused = 0

beforeAll(async () => {
  app = Fastify()
  replyWithErrors(app)
  await app.register(multipart, { throwFileSizeLimit: false })
  app.post('/', async (request, reply) => {
    const parts = uploadParts(request, { maxBytes: MAX_BYTES, message: TOO_LARGE })
    const read: string[] = []
    try {
      for await (const part of parts) {
        read.push(
          part.kind === 'field'
            ? `${part.name}=${part.value}`
            : `${part.name}:${part.fileName}:${(await buffer(part.content)).length}`,
        )
      }
      return { read }
    } catch (error) {
      refused++
      throw error
    } finally {
      await parts.return(undefined)
      closeAfterRefusal(request, reply)
    }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`
})
afterAll(() => app.close())

const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (fileName: string, content: string, name = 'file') =>
  [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="${name}"; filename="${fileName}"`,
    'Content-Type: text/csv',
    '',
    `${content}\r\n`,
  ].join('\r\n')
const END = `--${BOUNDARY}--\r\n`

const post = (body: string, contentType = `multipart/form-data; boundary=${BOUNDARY}`) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': contentType } })

describe('An upload', () => {
  it.for([
    [
      'the field first',
      field('dataDictionaryId', '7') + file('a.csv', 'abc'),
      ['dataDictionaryId=7', 'file:a.csv:3'],
    ],
    [
      'the file first',
      file('a.csv', 'abc') + field('dataDictionaryId', '7'),
      ['file:a.csv:3', 'dataDictionaryId=7'],
    ],
    ['an empty file', file('a.csv', ''), ['file:a.csv:0']],
    ['a file just within the limit', file('a.csv', 'x'.repeat(MAX_BYTES)), [`file:a.csv:${MAX_BYTES}`]],
    ['a name in UTF-8', file('ü漢.csv', 'x'), ['file:ü漢.csv:1']],
    [
      'quotes in the name, as browsers write them',
      file('%22a%22 100%25.csv', 'x'),
      ['file:"a" 100%25.csv:1'],
    ],
    ['a path for a name', file('../../etc/x.csv', 'x'), ['file:x.csv:1']],
  ] as const)('with %s is read', async ([, body, read]) => {
    const reply = await post(body + END)
    expect(await reply.json()).toEqual({ read })
  })

  it.for([
    ['two files', file('a.csv', 'a') + file('b.csv', 'b') + END, uploadMessages.oneFileOnly],
    ['no final boundary', file('a.csv', 'abc'), uploadMessages.malformed],
    ['nothing but a boundary cut in half', '--xy', uploadMessages.malformed],
    ['a field without a name', field('', 'x') + file('a.csv', 'a') + END, uploadMessages.malformed],
    ['a file without a name', file('a.csv', 'a', '') + END, uploadMessages.malformed],
    ['an endless name', field('n'.repeat(101), 'x') + file('a.csv', 'a') + END, uploadMessages.malformed],
    ['a file of an endless name', file('a.csv', 'a', 'n'.repeat(101)) + END, uploadMessages.malformed],
    ['a field twice', field('a', '1').repeat(2) + file('a.csv', 'a') + END, uploadMessages.malformed],
    [
      'a field with the name of the file',
      file('a.csv', 'a') + field('file', '1') + END,
      uploadMessages.malformed,
    ],
    ['2,000 fields', field('a', 'b').repeat(2_000) + END, uploadMessages.malformed],
    ['a field of the prototype', field('__proto__', 'x') + END, uploadMessages.malformed],
    ['a value of a megabyte', field('a', 'x'.repeat(1_000_000)) + file('a.csv', 'a') + END, undefined],
    ['a header that never ends', `--${BOUNDARY}\r\n${'X: y\r\n'.repeat(10_000)}`, uploadMessages.malformed],
  ] as const)('with %s is refused', async ([, body, message]) => {
    const reply = await post(body)
    expect([400, 413]).toContain(reply.status)
    if (message !== undefined) expect(await reply.json()).toEqual({ message })
  })

  it('without a boundary is refused', async () => {
    expect((await post('x', 'multipart/form-data')).status).toBe(400)
  })

  it('with a boundary too long for the parser is refused', async () => {
    const reply = await post(END, `multipart/form-data; boundary=${'x'.repeat(300)}`)
    expect([reply.status, await reply.json()]).toEqual([400, { message: uploadMessages.malformed }])
  })

  it.for(['application/octet-stream', 'application/json'])(
    'of the type %s is refused with 415',
    async (contentType) => {
      const reply = await post('{}', contentType)
      expect([reply.status, await reply.json()]).toEqual([415, { message: noticeMessages.wrongMediaType }])
    },
  )

  it('one byte over the limit is refused with 413, with and without a length', async () => {
    const body = file('a.csv', 'x'.repeat(MAX_BYTES + 1)) + END
    const read = await post(body)
    expect([read.status, await read.json()]).toEqual([413, { message: TOO_LARGE }])
    const stream = new Blob([body]).stream()
    const chunked = await fetch(url, {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    } as RequestInit)
    expect([chunked.status, await chunked.json()]).toEqual([413, { message: TOO_LARGE }])
  })

  it('that breaks off ends with an error instead of waiting', async () => {
    const before = refused
    const request = httpRequest(url, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    })
    request.on('error', () => {})
    const arrived = once(app.server, 'request')
    request.write(file('a.csv', 'x'.repeat(50_000)).slice(0, -100))
    await arrived
    await sleep(100)
    request.destroy()
    await expect.poll(() => refused).toBe(before + 1)
  })
})
