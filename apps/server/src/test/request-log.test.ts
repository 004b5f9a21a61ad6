import { Writable } from 'node:stream'
import { logLimits } from '@veridict/contract/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '#app.ts'
import { createMetrics } from '#drivers/metrics.ts'
import { createLog } from '#log.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

/** The server with a log of its own; `close` returns the lines with a text. */
async function loggingApp() {
  let log = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString()
      done()
    },
  })
  const app = await buildApp({
    ...portal.deps,
    metrics: createMetrics(),
    log: createLog('info', { destination: stream }),
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
