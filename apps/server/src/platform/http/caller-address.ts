import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/** Bits of an IPv6 network, in groups of 16: within it a machine chooses its own addresses. */
const NETWORK_GROUPS = 4

/**
 * For limits: an IPv4 address, or an IPv6 network of 64 bits. Of a proxy that TRUST_PROXY does not name, also
 * the last address that it reports, so that one person's failures do not block others behind it. A client can
 * invent that part; the limits by account do not depend on it, those by address hardly (`limitedAddress` in
 * `platform/admission/rate-limits.ts`).
 */
export function callerAddress(request: AddressedRequest): string {
  const reported = lastForwarded(request)
  const address = networkOf(addressOf(request))
  return reported === null ? address : `${address} ${networkOf(reported)}`
}

/** The same of a request that Fastify does not see. `trustProxy`: the setting. */
export function addressOfUpgrade(request: IncomingMessage, trustProxy: string | null): string {
  const trusted = trustProxy?.split(',').map((proxy) => proxy.trim()) ?? []
  const ips = proxyAddr.all(request, trusted)
  return callerAddress({ ip: ips.at(-1) as string, ips, headers: request.headers })
}

type AddressedRequest = Pick<FastifyRequest, 'ip' | 'ips' | 'headers'>

/** Shows people the whole address; of a proxy not in TRUST_PROXY, also the last one that it reports. */
export function fullAddress(request: FastifyRequest): string {
  const reported = lastForwarded(request)
  const address = plainAddress(addressOf(request))
  return reported === null ? address : `${address} ${plainAddress(reported)}`
}

/** Makes Node remember the address: once the client has left, whose call may still run, it is unreadable. */
export function rememberAddresses(app: FastifyInstance): void {
  app.server.on('connection', (socket) => void socket.remoteAddress)
}

/** Warns once, at the first request with an X-Forwarded-For that is not trusted. */
export function warnOfUntrustedProxy(app: FastifyInstance): void {
  let hasWarned = false
  app.addHook('onRequest', async (request) => {
    if (hasWarned || forwardedFor(request) === undefined) return
    hasWarned = true
    request.log.warn(
      { proxy: request.ip },
      'a request has X-Forwarded-For, but its sender is not in TRUST_PROXY: if it is your proxy, name it ' +
        'there, or limits by address are less exact for everyone behind it',
    )
  })
}

/** Empty if the client had left before its connection was accepted. */
const addressOf = (request: AddressedRequest): string => (request.ip as string | undefined) ?? ''

/** X-Forwarded-For, unless the sender is trusted. */
function forwardedFor(request: AddressedRequest): string | undefined {
  const header = request.headers['x-forwarded-for']
  const isTrusted = (request.ips?.length ?? 1) > 1
  return isTrusted ? undefined : header?.toString()
}

/** The last address in it: the one that a proxy adds itself. */
function lastForwarded(request: AddressedRequest): string | null {
  const last = forwardedFor(request)?.split(',').at(-1)?.trim() ?? ''
  return isIP(plainAddress(last)) === 0 ? null : last
}

/**
 * Without the port that some proxies report (Azure's Application Gateway) and the zone of IPv6
 * (`fe80::1%eth0`), with which each connection could have limits of its own; IPv4 over an IPv6 socket as
 * IPv4. A zone may have any number of colons.
 */
const plainAddress = (ip: string): string =>
  ip
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/s, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')

function networkOf(ip: string): string {
  const address = plainAddress(ip)
  if (isIP(address) !== 6) return address
  const network = ipaddr.IPv6.parse(address).parts.slice(0, NETWORK_GROUPS)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
