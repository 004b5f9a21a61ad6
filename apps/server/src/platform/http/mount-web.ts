import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { endpoints } from '@veridict/contract/api/endpoints'
import { noticeMessages } from '@veridict/contract/messages/notices'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const PAGE = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))
/** Addresses that never show the page. */
const NOT_THE_PAGE = /^\/(?:api|ws|metrics|config\.json|assets)(?:[/?]|$)/i

/** Files in `assets/` have a hash in their name and never change. All else is index.html, never cached. */
export async function mountWeb(app: FastifyInstance, folder: string = PAGE): Promise<void> {
  if (!existsSync(`${folder}/index.html`)) {
    app.log.warn('the page is not built; only the API works')
    app.setNotFoundHandler(noSuchCall)
    return
  }
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders(reply, path) {
      reply.header(
        'Cache-Control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
      )
    },
  })
  app.setNotFoundHandler((request, reply) =>
    isPageAddress(request) ? sendPage(reply) : noSuchCall(request, reply),
  )
}

const isPageAddress = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && !NOT_THE_PAGE.test(request.url)

/** Fastify calls its hooks again for this handler: eleven listeners, and Node warns of so many. */
function sendPage(reply: FastifyReply): FastifyReply {
  reply.raw.setMaxListeners(20)
  return reply.sendFile('index.html')
}

/** Calls for operators, which are not in the contract (`operations/`). */
const operations = [
  '/api/health',
  '/api/ready',
  '/api/openapi.json',
  '/api/docs',
  '/metrics',
  '/config.json',
].map((path) => ({ method: 'GET', path }))

const calls = [...Object.values(endpoints), ...operations].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i'),
}))

/** 405 with `Allow` if only the method is wrong (RFC 9110, 15.5.6), else 404, also for a too long id. */
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
