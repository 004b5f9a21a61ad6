import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What happens instead of a normal reply. cut: the connection closes in the middle of the reply. lost: the
 * store does what was asked, but the connection closes without a reply. slow: the reply is delayed. error,
 * denied: the reply is 500 or 403, and the store gets no request.
 */
export type Fault = 'cut' | 'lost' | 'error' | 'slow' | 'denied'
export type FaultProxy = {
  address: string
  /** The next `times` requests with this method, and with this text in their path, get the fault. */
  fail(fault: Fault, times: number, method?: string, path?: string): void
  /** Every request fails until `restore`. */
  break(): void
  restore(): void
  /** How many planned faults have not happened yet. */
  left(): number
  close(): Promise<void>
}

/** An HTTP proxy to the object store at `target`. */
export async function createFaultProxy(target: string): Promise<FaultProxy> {
  let planned: { fault: Fault; method: string; path: string }[] = []
  let isBroken = false
  const nextFault = ({ method = '', url = '' }: IncomingMessage): Fault | null => {
    const next = planned.find((plan) => (plan.method || method) === method && url.includes(plan.path))
    planned = planned.filter((plan) => plan !== next)
    return isBroken ? 'error' : (next?.fault ?? null)
  }
  let conditional = Promise.resolve()
  const server = createServer((request, reply) => {
    const fault = nextFault(request)
    // One at a time, since moto looks and then writes: two would both find no object. S3 decides at once.
    if (request.headers['if-none-match'] === undefined) void respond(target, request, reply, fault)
    else conditional = conditional.then(() => respond(target, request, reply, fault))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail(fault, times, method = '', path = '') {
      for (let count = 0; count < times; count++) planned.push({ fault, method, path })
    },
    break() {
      isBroken = true
    },
    restore() {
      isBroken = false
    },
    left: () => planned.length,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

const SLOW_MILLISECONDS = 500

async function respond(
  target: string,
  request: IncomingMessage,
  reply: ServerResponse,
  fault: Fault | null,
): Promise<void> {
  if (fault === 'error' || fault === 'denied') {
    request.resume()
    reply.writeHead(fault === 'error' ? 500 : 403).end()
    return
  }
  const [hostname, port] = target.split(':')
  const upstream = send({
    hostname,
    port,
    method: request.method,
    path: request.url,
    headers: request.headers,
  })
  upstream.on('error', () => reply.destroy())
  request.on('error', () => upstream.destroy())
  request.pipe(upstream)
  const [response] = (await once(upstream, 'response').catch(() => [])) as [IncomingMessage?]
  if (response === undefined) return
  if (fault === 'slow') await sleep(SLOW_MILLISECONDS)
  if (fault === 'lost') {
    response.resume()
    reply.destroy()
    return
  }
  reply.writeHead(response.statusCode ?? 500, response.headers)
  if (fault !== 'cut') return void response.pipe(reply)
  for await (const chunk of response as AsyncIterable<Buffer>) {
    reply.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => reply.destroy())
    response.destroy()
    return
  }
  reply.destroy()
}
