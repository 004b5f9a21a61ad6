import type { FastifyInstance } from 'fastify'

/**
 * Bodies are JSON or uploads, else 415. An empty body counts as none, because some clients send a content
 * type without a body. Fastify's parser refuses keys that change prototypes.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') done(null, undefined)
    else void parse(request, body, done)
  })
}
