import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { endpoints } from '@veridict/contract/api/endpoints'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { beforeAll, describe, expect, it } from 'vitest'
import { isServedHost } from '#platform/http/served-host.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let port: number
beforeAll(async () => {
  portal = await createTestApp()
  port = Number(new URL(await portal.app.listen({ port: 0, host: '127.0.0.1' })).port)
  return () => portal.close()
})

/** The status of a request that no client would send, and its message. */
async function send(...lines: string[]): Promise<{ status: number; message?: string }> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.end([...lines, 'Connection: close', '', ''].join('\r\n'))
  const [head, body = ''] = (await text(socket)).split('\r\n\r\n')
  const status = Number(head.split(' ')[1])
  return /application\/json/.test(head) ? { status, message: JSON.parse(body).message } : { status }
}

const probes = ['/api/health', '/api/ready', '/metrics']
const calls = Object.values(endpoints).map(({ method, path }) => [method, path] as const)
const others = ['/', '/login', '/nothing', '/ws', '/config.json', '/api/openapi.json', '/api/docs']
const routes = [...calls, ...others.map((path) => ['GET', path] as const)]
const foreign = { status: 421, message: noticeMessages.foreignHost }
const notOne = { status: 400, message: noticeMessages.oneHost }

describe('A request', () => {
  it.for(routes)('%s %s for a foreign host is refused before anything else', async ([method, path]) => {
    const headers = { host: 'evil.test', 'content-type': 'application/json' }
    const url = path.replaceAll(/:\w+/g, '1')
    const reply = await portal.app.inject({ method, url, headers, ...(method !== 'GET' && { payload: '{' }) })
    expect([reply.statusCode, reply.json()]).toEqual([421, { message: noticeMessages.foreignHost }])
  })

  it.for(probes)('%s of a probe may be for any one host', async (path) => {
    const { status } = await send(`GET ${path} HTTP/1.1`, 'Host: 10.1.2.3:3000')
    expect(status).not.toBe(421)
    expect((await send(`GET ${path} HTTP/1.0`)).status).toBe(status)
    expect(await send(`GET ${path} HTTP/1.1`, 'Host: a', 'Host: a')).toMatchObject({ status: 400 })
  })

  it.for([
    { why: 'two hosts', lines: ['GET / HTTP/1.1', 'Host: localhost', 'host: localhost'], refusal: notOne },
    { why: 'no host', lines: ['GET /config.json HTTP/1.1'], refusal: notOne },
    { why: 'no host, in HTTP/1.0', lines: ['GET /config.json HTTP/1.0'], refusal: foreign },
    { why: 'an empty host', lines: ['GET / HTTP/1.1', 'Host:'], refusal: foreign },
    { why: 'a list of hosts', lines: ['GET / HTTP/1.1', 'Host: localhost, evil.test'], refusal: foreign },
    {
      why: 'a foreign host in its address',
      lines: ['GET http://evil.test/config.json HTTP/1.1', 'Host: localhost'],
      refusal: foreign,
    },
    {
      why: 'a user in its address',
      lines: ['GET http://localhost@evil.test/ HTTP/1.1', 'Host: localhost'],
      refusal: foreign,
    },
  ])('with $why is refused', async ({ lines, refusal }) => {
    expect(await send(...lines)).toEqual(refusal)
  })

  it('may have its own host in its address', async () => {
    const address = `http://localhost:${port}/config.json`
    expect((await send(`GET ${address} HTTP/1.1`, 'Host: localhost')).status).toBe(200)
  })

  it.for([
    { why: 'a foreign host', hosts: ['Host: evil.test'], status: 421 },
    { why: 'two hosts', hosts: ['Host: localhost', 'Host: localhost'], status: 400 },
    { why: 'no host', hosts: [], status: 400 },
  ])('for a socket with $why is refused', async ({ hosts, status }) => {
    const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13']
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
    expect((await send('GET /ws HTTP/1.1', ...hosts, ...upgrade, key)).status).toBe(status)
  })
})

describe('A portal serves', () => {
  const demo = { publicHost: 'localhost', isDemo: true }
  const real = { publicHost: 'data.example.test', isDemo: false }
  it.for([
    { what: 'a demo', env: demo, host: 'localhost:3000', isServed: true },
    { what: 'a demo through a forwarded port', env: demo, host: '127.0.0.1:8080', isServed: true },
    { what: 'a demo', env: demo, host: '[::1]:3000', isServed: true },
    { what: 'a demo', env: demo, host: 'LOCALHOST', isServed: true },
    { what: 'a demo', env: demo, host: 'evil.test:3000', isServed: false },
    { what: 'a demo', env: demo, host: 'localhost.evil.test', isServed: false },
    { what: 'a demo', env: demo, host: '127.0.0.1.evil.test', isServed: false },
    { what: 'a demo', env: demo, host: '10.0.0.1:3000', isServed: false },
    { what: 'a demo with a name', env: { ...real, isDemo: true }, host: 'data.example.test', isServed: true },
    { what: 'a demo with a name', env: { ...real, isDemo: true }, host: 'localhost:3000', isServed: true },
    { what: 'PUBLIC_URL', env: real, host: 'Data.Example.test', isServed: true },
    { what: 'PUBLIC_URL', env: real, host: 'data.example.test:8443', isServed: true },
    { what: 'PUBLIC_URL', env: real, host: 'localhost:3000', isServed: false },
    { what: 'PUBLIC_URL', env: real, host: '', isServed: false },
    { what: 'no PUBLIC_URL', env: { ...real, publicHost: null }, host: '10.0.0.1', isServed: true },
  ])('$what: $host ($isServed)', ({ env, host, isServed }) => {
    expect(isServedHost(host, env)).toBe(isServed)
  })
})
