import { lookup, Resolver } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { webhookLimits } from '@veridict/contract/limits'
import { webhookMessages } from '@veridict/contract/messages/webhooks'
import { withinTime } from '#platform/within-time.ts'
import { isPublicAddress } from '#platform/webhooks/public-address.ts'

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

/** As the system finds names, in its file of hosts as well. Takes one of libuv's four threads meanwhile. */
const askSystem: Resolve = (host) => lookup(host, { all: true })

/** Asks name servers without a libuv thread, which writes files: some never reply. Throws IPv4's error. */
const askNameServers: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
  ]
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason
  return found
}

/** Whether a name means this machine or its network (RFC 6761, 6762). Name servers are not asked about it. */
const isLocalName = (host: string): boolean =>
  !host.replace(/\.$/, '').includes('.') || /\.(?:localhost|local|internal)\.?$/i.test(host)

/**
 * `allowPrivate` allows private networks and `http:`. The address is looked up once for each message and
 * checked, and used: a name that changes in between (DNS rebinding) changes nothing.
 */
export function createWebhookSender(
  { allowPrivate, timeout = webhookLimits.timeout }: { allowPrivate: boolean; timeout?: number },
  resolve: { whenSet: Resolve; whenSent: Resolve } = {
    whenSet: askSystem,
    whenSent: allowPrivate ? askSystem : askNameServers,
  },
): WebhookSender {
  /** The addresses of the host, all of them allowed. */
  async function allowedAddresses(url: string, look: Resolve): Promise<Address[]> {
    const { protocol, hostname } = new URL(url)
    if (protocol !== 'https:' && !allowPrivate) throw new Refusal(webhookMessages.httpsRequired)
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const family = isIP(host)
    if (!allowPrivate && family === 0 && isLocalName(host)) throw new Refusal(webhookMessages.privateAddress)
    const addresses = family === 0 ? await look(host) : [{ address: host, family }]
    const isAllowed = allowPrivate || addresses.every(({ address }) => isPublicAddress(address))
    if (!isAllowed) throw new Refusal(webhookMessages.privateAddress)
    return addresses
  }

  return {
    async refusalOf(url) {
      try {
        await withinTime(allowedAddresses(url, resolve.whenSet), timeout, 'no address')
        return null
      } catch (error) {
        return error instanceof Refusal ? error.message : null
      }
    },
    async send(message) {
      const signal = AbortSignal.timeout(timeout)
      try {
        // A look-up in the name service cannot be aborted.
        const addresses = await withinTime(
          allowedAddresses(message.url, resolve.whenSent),
          timeout,
          'no address',
        )
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

/** 1xx responses before the real one: usually none or one. Unlimited, they blocked all calls for 10 s. */
const MAX_INTERIM = 20

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
    let interim = 0
    sent.on('information', () => {
      if (++interim > MAX_INTERIM)
        sent.destroy(new Error(`there were more than ${MAX_INTERIM} interim responses (1xx)`))
    })
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
  if (error.syscall === 'getaddrinfo' || error.syscall?.startsWith('query'))
    return webhookMessages.nameUnknown
  if (error.code === 'ECONNREFUSED') return webhookMessages.noConnection
  return webhookMessages.failed(error.message || error.code || 'unknown')
}
