import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { bodyLimits, callLimits } from '@veridict/contract/limits'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { Gate } from '#platform/admission/gate.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let port: number
beforeAll(async () => {
  portal = await createTestApp({ trustProxy: '127.0.0.1' })
  port = Number(new URL(await portal.app.listen({ port: 0, host: '127.0.0.1' })).port)
  return () => portal.close()
})

/** Sends the headers of a call with JSON, and `sent` of its body. */
function begin(path: string, headers: Record<string, string | number>, sent = ''): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const all = {
    Host: 'localhost',
    ApiKey: portal.deps.env.apiKey,
    'Content-Type': 'application/json',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${sent}`)
  return socket
}
const statusOf = async (socket: Socket): Promise<string> =>
  String((await once(socket, 'data'))[0]).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)

it('A body is read when it is the turn of its call; beyond what may wait it is refused', async () => {
  const { clerk, deps } = portal
  const { calls } = deps.limits
  onTestFinished(() => void (deps.limits.calls = calls))
  deps.limits.calls = new Gate({ perKey: 1, maxWaitingOfKey: 9, maxWaitingBytesOfKey: 1000 })
  const endFirst = await deps.limits.calls.enter(String(clerk.id))
  const path = '/api/FileSubmission/retryingestionupload'
  const headers = { Authorization: `Bearer ${await portal.tokenOf(clerk)}` }
  const body = `{"FileId":${' '.repeat(588)}1}`
  const waiting = begin(path, { ...headers, 'Content-Length': body.length }, body)
  const refused = begin(path, { ...headers, 'Content-Length': 1001 })
  expect(await statusOf(refused)).toBe('429')
  endFirst()
  expect(await statusOf(waiting)).toBe('404')
})

it('Of bodies in chunks, which may come in parts of a byte, one may wait for its turn', async () => {
  const { clerk, deps } = portal
  const { calls } = deps.limits
  onTestFinished(() => void (deps.limits.calls = calls))
  const { waiting: maxWaitingOfKey, waitingBytes: maxWaitingBytesOfKey } = callLimits
  deps.limits.calls = new Gate({ perKey: 1, maxWaitingOfKey, maxWaitingBytesOfKey })
  const endFirst = await deps.limits.calls.enter(String(clerk.id))
  const headers = { Authorization: `Bearer ${await portal.tokenOf(clerk)}`, 'Transfer-Encoding': 'chunked' }
  const body = 'c\r\n{"FileId":1}\r\n0\r\n\r\n'
  const send = () => begin('/api/FileSubmission/retryingestionupload', headers, body)
  const statuses = [send(), send()].map(statusOf)
  expect(await Promise.race(statuses)).toBe('429')
  endFirst()
  expect((await Promise.all(statuses)).toSorted()).toEqual(['404', '429'])
})

it('A body has a whole period to arrive after its call has waited for its turn', async () => {
  const { clerk, deps } = portal
  const { calls } = deps.limits
  const gate = new Gate({ perKey: 1, maxWaitingOfKey: 1, maxWaitingBytesOfKey: 1000 })
  const endFirst = await gate.enter(String(clerk.id))
  const [arrived, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  deps.limits.calls = new Gate({})
  deps.limits.calls.enter = async (key, options) => {
    arrived.resolve()
    const leave = await gate.enter(key, options)
    setTimeout(begun.resolve, 100)
    return leave
  }
  const headers = { Authorization: `Bearer ${await portal.tokenOf(clerk)}`, 'Content-Length': 12 }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
    deps.limits.calls = calls
  })
  const waiting = begin('/api/FileSubmission/retryingestionupload', headers)
  await arrived.promise
  vi.advanceTimersByTime(59_000)
  endFirst()
  await begun.promise
  vi.advanceTimersByTime(1_000)
  waiting.write('{"FileId":1}')
  const closed = once(waiting, 'close').then(() => 'closed')
  expect(await Promise.race([statusOf(waiting), closed])).toBe('404')
})

/** The headers of a client behind a trusted proxy. */
const from = (address: string) => ({ 'X-Forwarded-For': address })

it.for(['/api/Login', '/api/no-such-call'])(
  'Of large bodies without an account, to %s, some of each address are read at once; a login never waits',
  async (path) => {
    const { maxSmallBytes, largeOfAddress } = bodyLimits
    const large = { ...from('192.0.2.1'), 'Content-Length': maxSmallBytes + 2 }
    const unfinished = '{'.padEnd(maxSmallBytes + 1)
    const chunked = { ...from('192.0.2.1'), 'Transfer-Encoding': 'chunked' }
    const some = Array.from({ length: largeOfAddress }, () => begin(path, large, unfinished))
    await expect.poll(() => statusOf(begin(path, large, unfinished))).toBe('429')
    const chunk = `${unfinished.length.toString(16)}\r\n${unfinished}\r\n`
    expect(await statusOf(begin(path, chunked, chunk))).toBe('429')
    const form = JSON.stringify({ email: 'nobody@example.test', password: 'Wrong-Horse-1' })
    const short = { ...from('192.0.2.1'), 'Content-Length': form.length }
    expect(await statusOf(begin('/api/Login', short, form))).toBe('401')
    const inChunks = `1\r\n${form[0]}\r\n${(form.length - 1).toString(16)}\r\n${form.slice(1)}\r\n0\r\n\r\n`
    expect(await statusOf(begin('/api/Login', chunked, inChunks))).toBe('401')
    const whole = '{}'.padEnd(maxSmallBytes + 2)
    expect(await statusOf(begin(path, { ...large, ...from('192.0.2.2') }, whole))).toMatch(/^40[04]$/)
    some[0]?.destroy()
    await expect.poll(() => statusOf(begin(path, large, whole))).toMatch(/^40[04]$/)
  },
)

it('Of large bodies without an account, some of all addresses are read at once', async () => {
  const { maxSmallBytes, largeAtOnce, largeOfAddress } = bodyLimits
  const unfinished = '{'.padEnd(maxSmallBytes + 1)
  const send = (address: string) =>
    begin('/api/Login', { ...from(address), 'Content-Length': maxSmallBytes + 2 }, unfinished)
  for (let count = 0; count < largeAtOnce; count++) send(`192.0.2.${Math.floor(count / largeOfAddress)}`)
  await expect.poll(() => statusOf(send('198.51.100.1'))).toBe('429')
})

it('Bodies in small parts hold no more memory than others, also when they are refused', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const part = `14\r\n${'x'.repeat(20)}\r\n`
  const parts = 6_000
  const received: Socket[] = []
  portal.app.server.on('connection', (socket) => void received.push(socket))
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const bodies = 2 * bodyLimits.largeOfAddress
  for (let count = 0; count < bodies; count++)
    begin('/api/Login', { ...from('192.0.2.9'), 'Transfer-Encoding': 'chunked' }, part.repeat(parts))
  await expect
    .poll(() => received.filter(({ bytesRead }) => bytesRead > part.length * parts), { timeout: 20_000 })
    .toHaveLength(bodies)
  collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
})

it('A body that is nested deeper than any of ours could not be read', async () => {
  const url = `/api/DataDictionary/1/TryRules`
  const nested = (depth: number) => `{"row":{},"rules":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const headers = {
    ApiKey: portal.deps.env.apiKey,
    authorization: `Bearer ${await portal.tokenOf(portal.administrator)}`,
    'content-type': 'application/json',
  }
  for (const [depth, status] of [
    [bodyLimits.maxDepth - 1, 404],
    [bodyLimits.maxDepth + 1, 400],
    [1_000_000, 400],
  ] as const) {
    const reply = await portal.app.inject({ method: 'POST', url, headers, payload: nested(depth) })
    expect(reply.statusCode, reply.body).toBe(status)
  }
})
