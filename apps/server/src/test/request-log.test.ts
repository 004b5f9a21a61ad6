import { Writable } from 'node:stream'
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

it('The log names each refused call with its caller, and nothing that was sent', async () => {
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
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string })
    .filter(({ msg }) => msg === 'refused')
  expect(lines).toMatchObject([
    { path: '/api/Company/:id', status: 403, userId: clerk.id, address: '192.0.2.7' },
    { path: '/api/FileSubmission', status: 401, address: '192.0.2.7' },
  ])
  expect(log).not.toMatch(/secret|Bearer/)
})
