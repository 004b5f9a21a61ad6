import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { buildApp } from '#app.ts'
import { createMetrics } from '#platform/telemetry/metrics.ts'
import type { TestApp } from '#test/test-app.ts'

/** Opens a port, so that tests can send requests that are not well formed. */
export async function listen(portal: TestApp) {
  const app = await buildApp({ ...portal.deps, metrics: createMetrics() })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
}

type Raw = {
  method: string
  path: string
  headers: Record<string, string>
  body?: (isReplied: () => boolean) => AsyncIterable<Buffer>
}

/** Sends a body in chunks until it ends or a reply comes. */
export async function rawRequest(
  port: number,
  { method, path, headers, body }: Raw,
): Promise<{ status: number; body: string; sent: number }> {
  const request = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false })
  let isReplied = false
  const replied = new Promise<{ status: number; body: string }>((resolve, reject) => {
    request.once('response', (reply) => {
      isReplied = true
      text(reply).then((content) => resolve({ status: reply.statusCode ?? 0, body: content }), reject)
    })
    // The server closes a connection whose body it refused.
    request.on('error', (error) => isReplied || reject(error))
  })
  let sent = 0
  for await (const chunk of body?.(() => isReplied) ?? []) {
    sent += chunk.length
    if (!request.write(chunk)) await Promise.race([once(request, 'drain'), replied])
  }
  request.end()
  const reply = await replied
  request.destroy()
  return { ...reply, sent }
}
