import type { IncomingMessage } from 'node:http'
import { noticeMessages } from '@veridict/contract/messages/notices'
import type { FastifyInstance } from 'fastify'
import { type Env, isLoopback } from '#env.ts'
import { AppError, badRequest } from '#errors.ts'

/** 400 unless the request has one `Host` (RFC 9112, 3.2), 421 if it is for another host. */
export function hostRefusal(request: IncomingMessage, env: Env, isProbed = false): AppError | null {
  const { rawHeaders, httpVersion, url = '' } = request
  const hosts = rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === 'host' && index % 2 === 1,
  )
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== '1.0'))
    return badRequest(noticeMessages.oneHost)
  if (isProbed) return null
  // The address of a request may name the host, too, and then decides (RFC 9112, 3.2.2).
  const [, named] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? []
  const isServed = [hosts[0] ?? '', named ?? hosts[0] ?? ''].every((host) => isServedHost(host, env))
  return isServed ? null : new AppError(421, noticeMessages.foreignHost)
}

/** PUBLIC_URL's name; in demos and local portals all names of this machine. Any port: proxies change it. */
export function isServedHost(
  host: string,
  { publicHost, isDemo }: Pick<Env, 'publicHost' | 'isDemo'>,
): boolean {
  if (publicHost === null) return true
  const name = host.toLowerCase().replace(/:\d*$/, '')
  return name === publicHost || ((isDemo || isLoopback(publicHost)) && isLoopback(name))
}

/** Probes of orchestrators and monitoring call each process by its address. */
const PROBED: readonly (string | undefined)[] = ['/api/health', '/api/ready', '/metrics']

/** Runs before all else: a foreign name that leads here (DNS rebinding) would share the portal's origin. */
export function checkHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const refusal = hostRefusal(raw, app.deps.env, PROBED.includes(routeOptions.url))
    if (refusal !== null) throw refusal
  })
}
