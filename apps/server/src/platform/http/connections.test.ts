import { connect, type Socket } from 'node:net'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let port: number
beforeAll(async () => {
  portal = await createTestApp()
  port = Number(new URL(await portal.app.listen({ port: 0, host: '127.0.0.1' })).port)
  return () => portal.close()
})

function open(): { socket: Socket; closed: Promise<unknown>; replies(): number } {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (part: Buffer) => (text += part.toString()))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return { socket, closed, replies: () => text.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0 }
}

const health = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n'

it('A connection may send some calls behind each other, again and again, and not many', async () => {
  const { socket, closed, replies } = open()
  for (let round = 1; round <= 3; round++) {
    socket.write(health.repeat(30))
    await expect.poll(replies).toBe(30 * round)
  }
  socket.write(health.repeat(1_000))
  await closed
  expect(replies()).toBeLessThan(200)
})

it.for([
  { why: 'of a login', path: '/api/Login', type: 'application/json', isKnown: false },
  { why: 'of a call without a key', path: '/api/FileSubmission', type: 'text/plain', isKnown: false },
  {
    why: 'of an upload',
    path: '/api/FileSubmission',
    type: 'multipart/form-data; boundary=b',
    isKnown: true,
  },
])('A connection that sends a body in parts of a byte is closed: $why', async ({ path, type, isKnown }) => {
  const { socket, closed } = open()
  const token = isKnown ? await portal.tokenOf(portal.clerk) : ''
  const headers = {
    Host: 'localhost',
    ...((isKnown || path === '/api/Login') && { ApiKey: portal.deps.env.apiKey }),
    ...(isKnown && { Authorization: `Bearer ${token}` }),
    'Content-Type': type,
    'Transfer-Encoding': 'chunked',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
  const start = isKnown ? `${head.length.toString(16)}\r\n${head}\r\n` : ''
  let isOpen = true
  void closed.then(() => (isOpen = false))
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${start}`)
  for (let part = 0; part < 300 && isOpen; part++) {
    if (!socket.write('1\r\nx\r\n'.repeat(10_000)))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
  }
  expect(isOpen).toBe(false)
})

it('A body may come in parts of a line', async () => {
  const { socket, replies } = open()
  const token = await portal.tokenOf(portal.clerk)
  const headers = `Host: localhost\r\nApiKey: ${portal.deps.env.apiKey}\r\nAuthorization: Bearer ${token}\r\n`
  const type = 'Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n'
  socket.write(`POST /api/FileSubmission HTTP/1.1\r\n${headers}${type}`)
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  socket.write(
    chunk(head) + chunk('Ada,Lovelace,1815-12-10\n').repeat(20_000) + chunk('\r\n--b--\r\n') + chunk(''),
  )
  await expect.poll(replies).toBe(1)
  socket.write(health)
  await expect.poll(replies).toBe(2)
})
