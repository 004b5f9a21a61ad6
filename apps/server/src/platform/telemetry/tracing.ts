/** Never values, names of files or addresses of people: traces leave the installation. */
export type Attributes = Readonly<Record<string, string | number>>
export type SpanStart = { name: string; kind: 'consumer' | 'client'; attributes?: Attributes }

export type CallSpan = {
  /** Does `work` in the span: what it begins, and what it logs, belongs to the call. */
  run<T>(work: () => T): T
  /** `status`: null if the client closed the connection before. */
  end(status: number | null): void
}

/**
 * OpenTelemetry, or nothing (`noTracing`). A span in `work` is a child of the one around it. Of an error only
 * name or code are recorded; it is thrown on. See docs/OPERATIONS.md#traces.
 */
export type Tracing = {
  span<T>(name: string, work: () => Promise<T>): Promise<T>
  /** A span in the trace of another process; with null in a new one. `traceparent`: as W3C says. */
  resume<T>(traceparent: string | null, span: SpanStart, work: () => Promise<T>): Promise<T>
  /** null without tracing. */
  startCall(traceparent: unknown, call: { method: string; route: string }): CallSpan | null
  /** Adds to the running span. */
  note(attributes: Attributes): void
  /** The running span, to store with what other processes go on with. */
  traceparent(): string | null
  /** What each line of the log gets; undefined without tracing. */
  logFields?: () => { trace_id?: string; span_id?: string }
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>
}

export const noTracing: Tracing = {
  span: (_name, work) => work(),
  resume: (_traceparent, _span, work) => work(),
  startCall: () => null,
  note: () => {},
  traceparent: () => null,
  close: async () => {},
}
