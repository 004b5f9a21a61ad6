import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noSuchCall } from '#http/no-such-call.ts'

/** Where the built page lies. */
const PAGE = fileURLToPath(new URL('../../../web/dist/', import.meta.url))
/** Addresses that are never the page's. */
const NOT_THE_PAGE = /^\/(?:api|ws|metrics|config\.json|assets)(?:[/?]|$)/i

/**
 * Serves the web page. Files under `assets/` carry a digest in their name and never change; index.html names
 * them, so it is always fetched anew. Any other address is the page's own and gets index.html. Without a
 * built page only the API answers.
 */
export async function mountWeb(app: FastifyInstance, folder: string = PAGE): Promise<void> {
  if (!existsSync(`${folder}/index.html`)) {
    app.log.warn('the web page is not built; only the API answers')
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

const sendPage = (reply: FastifyReply): FastifyReply => reply.sendFile('index.html')
