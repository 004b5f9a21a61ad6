import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedWebhook = { path: string; headers: IncomingHttpHeaders; body: string }

/** A real HTTP server on this machine that receives webhooks. */
export type WebhookReceiver = {
  url: string
  /** In the order in which they came. */
  received: ReceivedWebhook[]
  /** Responds to the next webhooks; by default with 204. It may never call `end`. */
  respond: (response: ServerResponse, webhook: ReceivedWebhook) => void
  close(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const webhook = { path: request.url ?? '', headers: request.headers, body }
    receiver.received.push(webhook)
    receiver.respond(response, webhook)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    respond: (response) => response.writeHead(204).end(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
