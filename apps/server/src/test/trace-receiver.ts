import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  attributes: Attribute[]
  /** Describes the process that sent the span. */
  resource: Attribute[]
}
type Export = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: Omit<ReceivedSpan, 'resource'>[] }[]
  }[]
}

/** A collector of traces: OTLP over HTTP, as JSON. */
export type TraceReceiver = { url: string; spans: ReceivedSpan[]; close(): Promise<void> }

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const { url, close } = await listen(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request)) as Export
    for (const { resource, scopeSpans } of resourceSpans) {
      const sent = scopeSpans.flatMap((scope) => scope.spans)
      spans.push(...sent.map((span) => ({ ...span, resource: resource.attributes })))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  return { url, spans, close }
}

/** Accepts every request and never responds. */
export const startSilentReceiver = () => listen((request) => void request.resume())

async function listen(handler: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
