import { apiKeyHeader } from '@veridict/contract/api/config'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { FastifyRequest } from 'fastify'
import { equalInConstantTime } from '#drivers/tokens.ts'
import { unauthorized } from '#errors.ts'

const HEADER = apiKeyHeader.toLowerCase()

/**
 * Throws 401 unless the request has the API key, which names the application. See docs/BEHAVIOUR.md#calls.
 */
export function checkApiKey(request: FastifyRequest, apiKey: string): void {
  const given = request.headers[HEADER]
  if (typeof given !== 'string' || !equalInConstantTime(given, apiKey))
    throw unauthorized(sessionMessages.wrongApiKey)
}
