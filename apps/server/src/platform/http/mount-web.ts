import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noSuchCall } from '#platform/http/no-such-call.ts'

/** Folder of the built page. */
const PAGE = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))
/** Addresses that never show the page. */
const NOT_THE_PAGE = /^\/(?:api|ws|metrics|config\.json|assets)(?:[/?]|$)/i

/**
 * Serves the page. Files under `assets/` have a hash in their name and never change; index.html is never
 * cached. Every other address gets index.html. If the page is not built, only the API works.
 */
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

const sendPage = (reply: FastifyReply): FastifyReply => reply.sendFile('index.html')
