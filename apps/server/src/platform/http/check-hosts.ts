import type { FastifyInstance } from 'fastify'
import { hostRefusal } from '#platform/http/served-host.ts'

/** Probes of orchestrators and monitoring call each process by its address. */
const PROBED: readonly (string | undefined)[] = ['/api/health', '/api/ready', '/metrics']

/**
 * Refuses requests that are for another host (`isServedHost`), before anything else is looked at: a page of a
 * foreign name that leads to this machine (DNS rebinding) would be of the same origin as the portal.
 */
export function checkHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const refusal = hostRefusal(raw, app.deps.env, PROBED.includes(routeOptions.url))
    if (refusal !== null) throw refusal
  })
}
