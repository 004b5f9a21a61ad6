import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { noticeMessages } from '@veridict/contract/messages/notices'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  AppError,
  badRequest,
  conflict,
  forbidden,
  invalid,
  notFound,
  tooManyRequests,
  unauthorized,
} from '#errors.ts'
import { replyWithErrors } from '#platform/http/error-reply.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const databaseError = (code: string) =>
  Object.assign(new Error(`select secret from users: ${code}`), { code })
const socketError = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
  code: 'ECONNREFUSED',
  syscall: 'connect',
})

describe('An error', () => {
  it.for([
    [
      'messages by field',
      invalid('name', 'Name is required'),
      400,
      { errors: { name: ['Name is required'] } },
    ],
    ['a sentence', badRequest('No'), 400, { message: 'No' }],
    [
      'a list',
      new AppError(400, '', { list: ['Row 2: bad', 'Row 3: bad'] }),
      400,
      ['Row 2: bad', 'Row 3: bad'],
    ],
    [
      'of zod',
      z.object({ a: z.string('A is missing') }).safeParse({}).error,
      400,
      { errors: { a: ['A is missing'] } },
    ],
    // As a caller could pass it on from elsewhere.
    [
      'a sentence whose details have a status',
      new AppError(400, 'No', { status: 500 } as object),
      400,
      { message: 'No' },
    ],
    ['a bad login', unauthorized('Who?'), 401, { message: 'Who?' }],
    ['a wrong role', forbidden('Not you'), 403, { message: 'Not you' }],
    ['a missing thing', notFound('Company'), 404, { message: 'Company not found.' }],
    [
      'a duplicate',
      conflict('Taken', { DuplicateEmail: ['Taken'] }),
      409,
      { message: 'Taken', errors: { DuplicateEmail: ['Taken'] } },
    ],
    ['a rate limit', tooManyRequests(7), 429, { message: noticeMessages.tooManyRequests }],
    ['a database that is down', socketError, 503, { message: noticeMessages.unavailable }],
    ['a database that shuts down', databaseError('57P01'), 503, { message: noticeMessages.unavailable }],
    ['text that no database keeps', databaseError('22021'), 400, { message: noticeMessages.bodyUnreadable }],
  ] as const)('that is %s leaves in its form', async ([, error, status, body]) => {
    const app = Fastify()
    replyWithErrors(app)
    app.get('/', async () => {
      throw error
    })
    const reply = await app.inject('/')
    expect(reply.statusCode).toBe(status)
    expect(reply.json()).toEqual(body)
    expect(reply.headers['retry-after']).toBe(status === 429 ? '7' : status === 503 ? '5' : undefined)
  })

  it('that is a bug returns a request id and nothing else', async () => {
    const app = Fastify({ genReqId: () => 'abc' })
    replyWithErrors(app)
    app.get('/', async () => {
      throw databaseError('42601')
    })
    const reply = await app.inject('/')
    expect(reply.statusCode).toBe(500)
    expect(reply.json()).toEqual({ message: noticeMessages.internal('abc') })
  })
})

describe('A request without a handler', () => {
  let portal: TestApp
  let app: FastifyInstance
  beforeAll(async () => {
    portal = await createTestApp()
    app = portal.app
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => portal.close())

  const json = { ApiKey: 'test-api-key', 'content-type': 'application/json' }
  const logIn = (payload: string | Buffer, headers: Record<string, string> = json) =>
    app.inject({ method: 'POST', url: '/api/Login', payload, headers })

  it.for([
    ['broken JSON', '{"email":', json, 400],
    ['a list instead of an object', '[]', json, 400],
    ['JSON nested 100,000 deep', '['.repeat(100_000), json, 400],
    ['a key into the prototype', '{"__proto__":{"polluted":true}}', json, 400],
    ['plain text', 'email=x', { ...json, 'content-type': 'text/plain' }, 415],
    [
      'an upload where none belongs',
      '--x--',
      { ...json, 'content-type': 'multipart/form-data; boundary=x' },
      415,
    ],
    ['compressed JSON', 'x', { ...json, 'content-encoding': 'gzip' }, 400],
    ['10 MB', `{"email":"${'x'.repeat(10_000_000)}"}`, json, 413],
  ] as const)('for %s gets a sentence', async ([, payload, headers, status]) => {
    const reply = await logIn(payload, headers)
    expect(reply.statusCode).toBe(status)
    expect(Object.keys(reply.json())).toEqual(['message'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.for(['/api/Login', '/api/Login/refresh', '/api/nothing'])(
    'of two megabytes is refused before it is parsed: %s',
    async (url) => {
      const payload = `{"email":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`
      const reply = await app.inject({ method: 'POST', url, payload, headers: json })
      expect([reply.statusCode, reply.json()]).toEqual([413, { message: noticeMessages.bodyTooLarge }])
    },
  )

  it('gets its 413 although it goes on sending', async () => {
    const { port } = app.server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const errors: Error[] = []
    socket.on('error', (error) => errors.push(error))
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString()))
    const head = [
      'POST /api/Login HTTP/1.1',
      'Host: localhost',
      'ApiKey: test-api-key',
      'Content-Type: application/json',
      'Content-Length: 10000000',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    for (let part = 0; part < 5; part++) {
      socket.write(Buffer.alloc(2_000_000, 'x'))
      await expect.poll(() => received).toContain(noticeMessages.bodyTooLarge)
      await sleep(20)
    }
    await expect.poll(() => socket.writableLength).toBe(0)
    expect([received.split(' ')[1], errors, socket.destroyed]).toEqual(['413', [], false])
    socket.destroy()
  })

  it('a request with two lengths is refused, and its connection closed', async () => {
    const { port } = app.server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1' })
    const smuggled = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const head = [
      'POST /api/Login HTTP/1.1',
      'Host: localhost',
      'ApiKey: test-api-key',
      'Content-Type: application/json',
    ]
    const lengths = [`Content-Length: ${smuggled.length + 5}`, 'Transfer-Encoding: chunked']
    socket.write(`${[...head, ...lengths].join('\r\n')}\r\n\r\n0\r\n\r\n${smuggled}`)
    const received = await text(socket)
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  })

  it.for([
    ['GET', '/api/nothing', 404],
    ['POST', '/api/Company/1/nothing', 404],
    ['GET', `/api/Company/${'1'.repeat(300)}`, 404],
    ['GET', '/api/%E0%A4%A', 400],
  ] as const)('%s %s gets a sentence', async ([method, url, status]) => {
    const reply = await app.inject({ method, url })
    expect(reply.statusCode).toBe(status)
    expect(Object.keys(reply.json())).toEqual(['message'])
  })

  it.for([
    ['PATCH', '/api/Login', 'POST'],
    ['GET', '/api/login?x=/api/Company', 'POST'],
    ['POST', '/api/Logout/', 'GET, HEAD'],
    ['POST', '/api/Company/1', 'DELETE, GET, HEAD, PUT'],
    ['PUT', '/api/health', 'GET, HEAD'],
    ['POST', '/config.json', 'GET, HEAD'],
  ] as const)('%s %s gets the allowed methods', async ([method, url, allow]) => {
    const reply = await app.inject({ method, url })
    expect([reply.statusCode, reply.headers.allow]).toEqual([405, allow])
    expect(reply.json()).toEqual({ message: noticeMessages.wrongMethod })
  })
})
