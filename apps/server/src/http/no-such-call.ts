import { endpoints } from '@veridict/contract/api/endpoints'
import { noticeMessages } from '@veridict/contract/messages/notices'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Calls for operators, which stand in no contract (`routes/operations`, `routes/metrics`). */
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
 * Answers what no route took: 405 with `Allow` where only the method is wrong (RFC 9110, 15.5.6), else 404.
 * That is also the answer to a method which is right: then the router found an id longer than any there is.
 */
export function noSuchCall(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const methods = methodsAt(request.url.replace(/[?#].*$/s, ''))
  if (methods.length === 0 || methods.includes(request.method))
    return reply.status(404).send({ message: noticeMessages.noSuchCall })
  return reply.status(405).header('Allow', methods.join(', ')).send({ message: noticeMessages.wrongMethod })
}

/**
 * The methods that an address of the API knows; none for an address that is not of the API. HEAD goes
 * wherever GET does.
 */
function methodsAt(path: string): string[] {
  const methods = new Set<string>()
  for (const { method, pattern } of calls) {
    if (!pattern.test(path)) continue
    methods.add(method)
    if (method === 'GET') methods.add('HEAD')
  }
  return [...methods].sort()
}
