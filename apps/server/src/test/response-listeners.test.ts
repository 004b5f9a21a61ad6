import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '#app.ts'
import { createMetrics } from '#platform/telemetry/metrics.ts'
import { noTracing } from '#platform/telemetry/tracing.ts'
import { buildDictionary } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { until } from '#test/until.ts'

/** With traces, so that responses have all listeners that they can have. */
const tracing = { ...noTracing, startCall: () => ({ run: <T>(work: () => T) => work(), end() {} }) }
const warnings: Error[] = []
let portal: TestApp
let port: number
let dictionaryId: number
beforeAll(async () => {
  const onWarning = (warning: Error) => void warnings.push(warning)
  process.on('warning', onWarning)
  portal = await createTestApp()
  const app = await buildApp({ ...portal.deps, tracing, metrics: createMetrics() })
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  dictionaryId = (await buildDictionary(portal.deps.db, { companyId: portal.clerk.companyId ?? 0 })).id
  return async () => {
    process.off('warning', onWarning)
    await app.close()
    await portal.close()
  }
})

/** Sends requests behind each other, waits until so many replies have begun, and leaves. */
async function send(requests: readonly string[], token: string, replies: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const { apiKey } = portal.deps.env
  const headers = `HTTP/1.1\r\nHost: localhost\r\nApiKey: ${apiKey}\r\nAuthorization: Bearer ${token}\r\n`
  socket.write(requests.map((request) => request.replace('\r\n', ` ${headers}`)).join(''))
  let received = ''
  socket.on('data', (part: Buffer) => (received += part.toString('latin1')))
  await until(() => (received.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0) >= replies)
  socket.destroy()
}

const get = (path: string) => `GET ${path}\r\n\r\n`
const json = (bytes: number) => `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{}`
const form = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 40\r\n\r\n--x\r\n'

describe('A response has few listeners, and Node warns of no leak:', () => {
  it.for([
    { what: 'calls', as: 'administrator', request: get('/api/Company'), replies: 4 },
    { what: 'a generated file', as: 'clerk', request: get('/api/DataDictionary/1/Template'), replies: 4 },
    { what: 'an export', as: 'clerk', request: get('/api/FileSubmission/Export'), replies: 4 },
    { what: 'a long list', as: 'clerk', request: get('/api/FileSubmission?PageSize=100000'), replies: 4 },
    { what: 'a head', as: 'clerk', request: 'HEAD /api/FileSubmission/Export\r\n\r\n', replies: 4 },
    { what: 'a refused role', as: 'clerk', request: get('/api/Company'), replies: 4 },
    { what: 'a body', as: 'administrator', request: `POST /api/Company\r\n${json(2)}`, replies: 4 },
    { what: 'a large body', as: 'administrator', request: `POST /api/Company\r\n${json(2e9)}`, replies: 2 },
    { what: 'a broken upload', as: 'clerk', request: `POST /api/FileSubmission\r\n${form}`, replies: 1 },
  ] as const)('$what', async ({ as, request, replies }) => {
    const token = await portal.tokenOf(portal[as])
    const sent = request.replace('/1/', `/${dictionaryId}/`)
    for (const awaited of [replies, 1]) await send([get('/api/health'), sent, sent, sent], token, awaited)
    // Node warns in a later turn.
    await new Promise((resolve) => setImmediate(resolve))
    expect(warnings.map(({ message }) => message)).toEqual([])
  })
})
