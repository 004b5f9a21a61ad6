import type { FastifyInstance } from 'fastify'

/** Only our own scripts, none inline; the component library needs inline styles. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The workers that read files compile the kernel. A worker is under the policy of its own response. */
const FILE_WORKER = /^\/assets\/(?:check|correct)-worker-[\w-]+\.js$/
const FILE_WORKER_POLICY = `${CONTENT_SECURITY_POLICY}; script-src 'self' 'wasm-unsafe-eval'`

const YEAR_OF_SECONDS = 365 * 24 * 60 * 60

/** Replies of the API also get no-store. HSTS only for https (ASVS 3.4). */
export function addSecurityHeaders(app: FastifyInstance, publicUrl: string): void {
  const isHttps = publicUrl.startsWith('https:')
  app.addHook('onSend', async (request, reply) => {
    const isFileWorker = FILE_WORKER.test(request.url)
    reply.header('Content-Security-Policy', isFileWorker ? FILE_WORKER_POLICY : CONTENT_SECURITY_POLICY)
    reply.header('X-Content-Type-Options', 'nosniff')
    reply.header('Referrer-Policy', 'no-referrer')
    reply.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
    reply.header('Cross-Origin-Opener-Policy', 'same-origin')
    reply.header('Cross-Origin-Resource-Policy', 'same-origin')
    if (isHttps) reply.header('Strict-Transport-Security', `max-age=${YEAR_OF_SECONDS}; includeSubDomains`)
    if (!reply.hasHeader('Cache-Control') && isDynamic(request.url)) reply.header('Cache-Control', 'no-store')
  })
}

const isDynamic = (url: string): boolean => /^\/(?:api|metrics|config\.json)(?:[/?]|$)/.test(url)
