import type { FastifyInstance } from 'fastify'

/**
 * Bodies are JSON or uploads, nothing else (415). An empty body counts as none, because some clients name a
 * content type even where they send nothing. Keys that would reach into prototypes are refused by Fastify's
 * parser.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') done(null, undefined)
    else void parse(request, body, done)
  })
}
