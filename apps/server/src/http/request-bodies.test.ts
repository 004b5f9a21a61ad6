import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { bodyLimits } from '@veridict/contract/limits'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { createWaitingLines } from '#drivers/waiting-lines.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let port: number
beforeAll(async () => {
  portal = await createTestApp()
  port = Number(new URL(await portal.app.listen({ port: 0, host: '127.0.0.1' })).port)
  return () => portal.close()
})

/** Sends the headers of a call with JSON, and `sent` of its body. */
function begin(path: string, headers: Record<string, string | number>, sent = ''): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const all = { Host: 'x', ApiKey: portal.deps.env.apiKey, 'Content-Type': 'application/json', ...headers }
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
  deps.limits.calls = createWaitingLines({ atOnce: 1, maxWaiting: 9, maxWaitingBytes: 1000 })
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

it('A body has a whole period to arrive after its call has waited for its turn', async () => {
  const { clerk, deps } = portal
  const { calls } = deps.limits
  const lines = createWaitingLines({ atOnce: 1, maxWaiting: 1, maxWaitingBytes: 1000 })
  const endFirst = await lines.enter(String(clerk.id))
  const [arrived, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  deps.limits.calls = {
    async enter(key, options) {
      arrived.resolve()
      const leave = await lines.enter(key, options)
      setTimeout(begun.resolve, 100)
      return leave
    },
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

it.for(['/api/Login', '/api/no-such-call'])(
  'Of large bodies without an account, to %s, some are read at once; a login never waits for them',
  async (path) => {
    const { maxSmallBytes, largeAtOnce } = bodyLimits
    const large = { 'Content-Length': maxSmallBytes + 1 }
    const unfinished = Array.from({ length: largeAtOnce }, () => begin(path, large, '{'))
    await expect.poll(() => statusOf(begin(path, large))).toBe('429')
    expect(await statusOf(begin(path, { 'Transfer-Encoding': 'chunked' }))).toBe('429')
    const form = JSON.stringify({ email: 'nobody@example.test', password: 'Wrong-Horse-1' })
    expect(await statusOf(begin('/api/Login', { 'Content-Length': form.length }, form))).toBe('401')
    unfinished[0]?.destroy()
    const whole = '{}'.padEnd(maxSmallBytes + 1)
    await expect.poll(() => statusOf(begin(path, large, whole))).toMatch(/^40[04]$/)
  },
)
