import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { createLog } from '#log.ts'

/** A log of the level `trace` and its lines. */
function traced() {
  const lines: string[] = []
  return {
    log: createLog('trace', { destination: { write: (line) => void lines.push(line) } }),
    text: () => lines.join(''),
  }
}

describe('The log', () => {
  it('has no header of an upload, which the form parser logs at the level trace', async () => {
    const { log, text } = traced()
    const app = Fastify({ loggerInstance: log })
    await app.register(multipart)
    app.post('/', async (request) => {
      for await (const part of request.parts()) if (part.type === 'file') part.file.resume()
      return {}
    })
    const body = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue\r\n--x--\r\n'
    const headers = {
      'content-type': 'multipart/form-data; boundary=x',
      authorization: 'Bearer secret-access',
      cookie: 'id=secret-cookie',
    }
    const reply = await app.inject({ method: 'POST', url: '/', body, headers })
    expect(reply.statusCode).toBe(200)
    expect(text()).toContain('busboy')
    expect(text()).not.toMatch(/secret-/)
    await app.close()
  })

  it.for([
    { line: { req: { headers: { authorization: 'secret-1' } } }, why: 'headers of a request' },
    { line: { headers: { 'set-cookie': ['secret-2'] } }, why: 'headers of a reply' },
    { line: { handshake: { AccessToken: 'secret-3' } }, why: 'the token of a socket' },
    { line: { calls: [{ body: { password: 'secret-4' } }] }, why: 'a password in a list of calls' },
    { line: { a: { b: { c: { d: { e: { f: 'secret-5' } } } } } }, why: 'what lies very deep' },
    { line: { err: Object.assign(new Error('x'), { rawPacket: 'secret-6' }) }, why: 'what an error carries' },
  ])('has no secrets: $why', ({ line }) => {
    const { log, text } = traced()
    log.trace(line, 'message')
    expect(text()).toContain('"msg":"message"')
    expect(text()).not.toContain('secret-')
  })

  it('has all other values', () => {
    const { log, text } = traced()
    log.info({ userId: 7, at: new Date(0), rows: [1, { name: 'x' }], err: new Error('why') }, 'message')
    expect(JSON.parse(text())).toMatchObject({
      userId: 7,
      at: '1970-01-01T00:00:00.000Z',
      rows: [1, { name: 'x' }],
      err: { type: 'Error', message: 'why' },
    })
  })
})
