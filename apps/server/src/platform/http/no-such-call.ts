import { endpoints } from '@veridict/contract/api/endpoints'
import { noticeMessages } from '@veridict/contract/messages/notices'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Calls for operators, which are not in the contract (`operations/`). */
const operations = [
  '/api/health',
  '/api/ready',
  '/api/openapi.json',
  '/api/docs',
  '/metrics',
  '/config.json',
].map((path) => ({
  method: 'GET',
  path,
}))

const calls = [...Object.values(endpoints), ...operations].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i'),
}))

/**
 * Replies to a request without a route: 405 with `Allow` if only the method is wrong (RFC 9110, 15.5.6), else
 * 404, also for an id that is too long.
 */
export function noSuchCall(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const methods = methodsAt(request.url.replace(/[?#].*$/s, ''))
  if (methods.length === 0 || methods.includes(request.method))
    return reply.status(404).send({ message: noticeMessages.noSuchCall })
  return reply.status(405).header('Allow', methods.join(', ')).send({ message: noticeMessages.wrongMethod })
}

/** The methods of an address of the API, HEAD wherever GET is; empty for other addresses. */
function methodsAt(path: string): string[] {
  const methods = new Set<string>()
  for (const { method, pattern } of calls) {
    if (!pattern.test(path)) continue
    methods.add(method)
    if (method === 'GET') methods.add('HEAD')
  }
  return [...methods].sort()
}
