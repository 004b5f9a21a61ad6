import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { logLimits } from '@veridict/contract/limits'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '#app.ts'
import type { Settings } from '#complete-env.ts'
import { Gate } from '#platform/admission/gate.ts'
import { createMetrics } from '#platform/telemetry/metrics.ts'
import { createLog } from '#log.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

/** The server with a log of its own; `close` returns the lines with a text. */
async function loggingApp(level: 'info' | 'debug' = 'info', env: Settings = portal.deps.env) {
  let log = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString()
      done()
    },
  })
  const app = await buildApp({
    ...portal.deps,
    env,
    metrics: createMetrics(),
    log: createLog(level, { destination: stream }),
  })
  const linesOf = (text: string): unknown[] =>
    log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string })
      .filter(({ msg }) => msg === text)
  return { app, linesOf, log: () => log }
}

it('The log names each refused call with its caller, and nothing that was sent', async () => {
  const { app, linesOf, log } = await loggingApp()
  const { clerk } = portal
  const token = await portal.tokenOf(clerk)
  const get = (url: string, authorization: string) =>
    app.inject({
      url,
      remoteAddress: '192.0.2.7',
      headers: { ApiKey: portal.deps.env.apiKey, authorization },
    })
  await get('/api/Company/7?SearchText=secret', `Bearer ${token}`)
  await get('/api/FileSubmission', 'Bearer secret')
  await get('/api/FileSubmission', `Bearer ${token}`)
  await get('/api/FileSubmission/7/Errors', `Bearer ${token}`)
  await app.close()
  expect(linesOf('refused')).toMatchObject([
    { path: '/api/Company/:id', status: 403, userId: clerk.id, address: '192.0.2.7' },
    { path: '/api/FileSubmission', status: 401, address: '192.0.2.7' },
  ])
  expect(log()).not.toMatch(/secret|Bearer/)
})

it('The log has some refused calls of an address a minute, and the number of the others', async () => {
  const { app, linesOf } = await loggingApp()
  const get = (remoteAddress: string) => app.inject({ url: '/api/Company', remoteAddress })
  for (let call = 0; call < logLimits.refusalsPerAddress + 7; call++) await get('192.0.2.7')
  await get('192.0.2.8')
  await app.close()
  const lines = linesOf('refused') as { address: string }[]
  expect(lines.filter(({ address }) => address === '192.0.2.7')).toHaveLength(logLimits.refusalsPerAddress)
  expect(lines.filter(({ address }) => address === '192.0.2.8')).toHaveLength(1)
  expect(linesOf('more calls were refused in the last minute than are logged')).toMatchObject([{ calls: 7 }])
})

it.for([null, '127.0.0.1'])(
  'The log has no failure of a call whose client has left (TRUST_PROXY: %s)',
  async (trustProxy) => {
    const { limits, env } = portal.deps
    const { downloads, newDownloads } = limits
    onTestFinished(() => void Object.assign(limits, { downloads, newDownloads }))
    const [begun, left, ended] = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const take = async () => {
      begun!.resolve()
      await left!.promise
    }
    limits.newDownloads = { ...newDownloads, take }
    limits.downloads = new Gate({})
    limits.downloads.tryEnter = () => () => ended!.resolve()
    const { app, log } = await loggingApp('debug', { ...env, trustProxy })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    const [connection] = (await once(app.server, 'connection')) as [Socket]
    const token = await portal.tokenOf(portal.clerk)
    const headers = `Host: localhost\r\nApiKey: ${env.apiKey}\r\nAuthorization: Bearer ${token}\r\n`
    socket.write(`GET /api/ErrorFile/7/Simple HTTP/1.1\r\n${headers}\r\n`)
    await begun!.promise
    socket.resetAndDestroy()
    await new Promise((resolve) => connection.once('close', resolve))
    left!.resolve()
    await ended!.promise
    await app.close()
    expect(log()).not.toMatch(/failed|"status":5/)
  },
)
