import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openTracing } from '#platform/telemetry/open-telemetry.ts'
import { noTracing, type Tracing } from '#platform/telemetry/tracing.ts'
import { createLog } from '#log.ts'
import { startTraceReceiver, type TraceReceiver } from '#test/trace-receiver.ts'

let collector: TraceReceiver
let tracing: Tracing
beforeAll(async () => {
  collector = await startTraceReceiver()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  tracing = openTracing(() => {})
})
afterAll(async () => {
  await collector.close()
  vi.unstubAllEnvs()
})

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const job = { name: 'job', kind: 'consumer' } as const

it('Each line of the log names the trace and the span in which it was written', async () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = createLog('info', { destination, traceFields: tracing.logFields })
  const traceparent = await tracing.resume(parent, job, async () => {
    await Promise.resolve()
    log.info('inside')
    return tracing.traceparent()
  })
  log.info('outside')
  const [inside, outside] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(traceparent).toBe(`00-${String(inside.trace_id)}-${String(inside.span_id)}-01`)
  expect(inside.trace_id).toBe('4bf92f3577b34da6a3ce929d0e0e4736')
  expect(outside).not.toHaveProperty('trace_id')
})

it.for([
  ['without one', null],
  ['with another text', 'x'],
  ['with zeros', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`],
  ['with a version that may not be', parent.replace(/^00/, 'ff')],
] as const)('A traceparent %s begins a trace of its own', async ([, given]) => {
  const traceparent = await tracing.resume(given, job, async () => tracing.traceparent())
  expect(traceparent).toMatch(/^00-(?!0{32}|4bf92f35)[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/)
})

it('A caller that does not sample its trace gets no spans, nor do those that go on with it', async () => {
  const traceparent = await tracing.resume(parent.replace(/1$/, '0'), job, async () => tracing.traceparent())
  expect(traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/)
})

it('A span of failed work has the code or the name of the error, and no more', async () => {
  const failed = Object.assign(new Error('claims-may.csv is full of Lovelace'), { code: 'ENOSPC' })
  await expect(
    tracing.span('store', async () => {
      throw failed
    }),
  ).rejects.toBe(failed)
  await tracing.close()
  const span = collector.spans.find(({ name }) => name === 'store')
  expect(span?.attributes).toEqual([{ key: 'error.type', value: { stringValue: 'ENOSPC' } }])
  expect(JSON.stringify(collector.spans)).not.toMatch(/Lovelace|claims/)
})

it('Without tracing work is called as it is, and nothing is stored or logged', async () => {
  const work = async () => noTracing.traceparent()
  expect(await noTracing.span('x', work)).toBeNull()
  expect(noTracing.startCall(parent, { method: 'GET', route: '/' })).toBeNull()
  expect(noTracing.logFields).toBeUndefined()
})
