import { lookup as lookUp } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { webhookLimits } from '@veridict/contract/limits'
import { webhookMessages } from '@veridict/contract/messages/webhooks'
import { isPublicAddress } from '#drivers/public-address.ts'

/** The status of the response, or why there was none. */
export type WebhookResponse = { status: number } | { problem: string }

export type WebhookMessage = { url: string; headers: Readonly<Record<string, string>>; body: string }

/** Sends to addresses that people choose, and never to what only this machine can reach. */
export type WebhookSender = {
  /** Why nothing would be sent to an address, as a sentence; null if it would, or its name is not known. */
  refusalOf(url: string): Promise<string | null>
  /** Sends once; follows no redirect. Does not throw. */
  send(message: WebhookMessage): Promise<WebhookResponse>
}

type Address = { address: string; family: number }
export type Resolve = (host: string) => Promise<Address[]>

class Refusal extends Error {}

/**
 * With `allowPrivate`, private networks and `http:` are allowed as well. The address is looked up once for
 * each message and checked, and the connection goes to the checked address: a name that changes in between
 * (DNS rebinding) changes nothing.
 */
export function createWebhookSender(
  { allowPrivate, timeout = webhookLimits.timeout }: { allowPrivate: boolean; timeout?: number },
  resolve: Resolve = (host) => lookUp(host, { all: true }),
): WebhookSender {
  /** The addresses of the host, all of them allowed. */
  async function allowedAddresses({ protocol, hostname }: URL): Promise<Address[]> {
    if (protocol !== 'https:' && !allowPrivate) throw new Refusal(webhookMessages.httpsRequired)
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const family = isIP(host)
    const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
    const isAllowed = allowPrivate || addresses.every(({ address }) => isPublicAddress(address))
    if (!isAllowed) throw new Refusal(webhookMessages.privateAddress)
    return addresses
  }

  return {
    async refusalOf(url) {
      try {
        await withinTime(allowedAddresses(new URL(url)), AbortSignal.timeout(timeout))
        return null
      } catch (error) {
        return error instanceof Refusal ? error.message : null
      }
    },
    async send(message) {
      const signal = AbortSignal.timeout(timeout)
      try {
        const addresses = await withinTime(allowedAddresses(new URL(message.url)), signal)
        return { status: await post(message, addresses, signal) }
      } catch (error) {
        return {
          problem: signal.aborted
            ? webhookMessages.noReply(timeout / 1000)
            : problemOf(error as NodeJS.ErrnoException),
        }
      }
    },
  }
}

/** A look-up in the name service cannot be aborted. */
function withinTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    }),
  ])
}

/** Returns the status. The body of the response is not read. */
function post(
  { url, headers, body }: WebhookMessage,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<number> {
  const request = new URL(url).protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // Its own connection, and no proxy of the environment, which would look the name up again.
      agent: false,
      lookup: lookUpIn(addresses),
      signal,
    })
    // Stays until the end: after the response the socket is destroyed, which may be an error as well.
    sent.on('error', reject)
    // Without a response or an error: an upgrade to another protocol, which Node refuses in silence.
    sent.on('close', () => reject(new Error('it was closed')))
    sent.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    sent.end(body)
  })
}

/** Names are not looked up again. */
const lookUpIn =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, callback) =>
    all ? callback(null, [...addresses]) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family)

function problemOf(error: NodeJS.ErrnoException): string {
  if (error instanceof Refusal) return error.message
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return webhookMessages.nameUnknown
    case 'ECONNREFUSED':
      return webhookMessages.noConnection
    default:
      return webhookMessages.failed(error.message || error.code || 'unknown')
  }
}
