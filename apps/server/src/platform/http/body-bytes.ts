import { callLimits } from '@veridict/contract/limits'
import type { FastifyRequest } from 'fastify'

/**
 * The most memory that a body can hold before it is read. In chunks of one byte, each is an object of its
 * own, and Node keeps 64 KiB of them: 20 MB, measured.
 */
export function bodyBytes({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return callLimits.waitingBytes
  return Number(headers['content-length'] ?? 0)
}
