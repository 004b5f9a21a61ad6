import type { FastifyRequest } from 'fastify'
import { callerAddress } from '#http/caller-address.ts'
import { deviceName } from '#http/device-name.ts'

/** Where a session begins: device and address of the request. */
export const originOf = (request: FastifyRequest) => ({
  device: deviceName(request.headers['user-agent']),
  address: callerAddress(request),
})
