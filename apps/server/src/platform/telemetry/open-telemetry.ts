import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Attributes, Tracing } from '#platform/telemetry/tracing.ts'

const kinds = { consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const
/** A collector that is unavailable gives a problem every five seconds. */
const PROBLEM_MILLISECONDS = 60_000
const CLOSE_MILLISECONDS = 2_000

/**
 * OTLP over HTTP in the background; the SDK reads the OTEL_… variables. Spans that cannot be sent are
 * dropped. `onProblem`: once a minute at most. Imported only with OTEL_EXPORTER_OTLP_ENDPOINT.
 */
export function openTracing(onProblem: (problem: string) => void): Tracing {
  reportProblems(onProblem)
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'veridict' }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('veridict')
  const contexts = new AsyncLocalStorage<Context>()
  const current = () => contexts.getStore() ?? ROOT_CONTEXT
  const currentSpan = () => trace.getSpan(current())

  const start = (name: string, parent: Context, kind?: SpanKind, attributes?: Attributes) => {
    const span = tracer.startSpan(name, { kind, attributes }, parent)
    return { span, context: trace.setSpan(parent, span) }
  }
  const during = async <T>({ span, context }: ReturnType<typeof start>, work: () => Promise<T>) => {
    try {
      return await contexts.run(context, work)
    } catch (error) {
      fail(span, nameOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  return {
    span: (name, work) => during(start(name, current()), work),
    resume: (traceparent, { name, kind, attributes }, work) =>
      during(start(name, contextOf(traceparent), kinds[kind], attributes), work),
    startCall(traceparent, { method, route }) {
      const attributes = { 'http.request.method': method, 'http.route': route }
      const { span, context } = start(
        `${method} ${route}`,
        contextOf(traceparent),
        SpanKind.SERVER,
        attributes,
      )
      return {
        run: (work) => contexts.run(context, work),
        end(status) {
          if (status !== null) span.setAttribute('http.response.status_code', status)
          if (status === null || status >= 500) fail(span, status === null ? 'disconnected' : String(status))
          span.end()
        },
      }
    },
    note: (attributes) => void currentSpan()?.setAttributes(attributes),
    traceparent() {
      const span = currentSpan()
      return span === undefined ? null : toTraceparent(span.spanContext())
    },
    logFields() {
      const span = currentSpan()?.spanContext()
      return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
    },
    async close() {
      const closed = provider.shutdown().catch(() => {})
      await Promise.race([closed, sleep(CLOSE_MILLISECONDS, undefined, { ref: false })])
    },
  }
}

function contextOf(traceparent: unknown): Context {
  const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
}

const toTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

const nameOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name ?? 'error')
}

function reportProblems(onProblem: (problem: string) => void): void {
  let reportedAt = -Infinity
  const report = (problem: string) => {
    if (performance.now() - reportedAt < PROBLEM_MILLISECONDS) return
    reportedAt = performance.now()
    onProblem(problem.slice(0, 300))
  }
  const ignore = () => {}
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  )
}
