import type { FastifyRequest } from 'fastify'
import { callerAddress } from '#http/caller-address.ts'
import { deviceName } from '#http/device-name.ts'
import { knownBrowser } from '#http/known-browser.ts'
import type { LoginPlace } from '#services/session/open-session.ts'

export const loginPlaceOf = (request: FastifyRequest): LoginPlace => ({
  device: deviceName(request.headers['user-agent']),
  address: callerAddress(request),
  browser: knownBrowser(request),
})
