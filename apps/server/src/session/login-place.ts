import type { FastifyRequest } from 'fastify'
import { callerAddress } from '#platform/http/caller-address.ts'
import { deviceName } from '#session/device-name.ts'
import { knownBrowser } from '#session/known-browser.ts'
import type { LoginPlace } from '#session/open-session.ts'

export const loginPlaceOf = (request: FastifyRequest): LoginPlace => ({
  device: deviceName(request.headers['user-agent']),
  address: callerAddress(request),
  browser: knownBrowser(request),
})
