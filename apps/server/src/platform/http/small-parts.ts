import { connectionLimits } from '@veridict/contract/limits'
import type { FastifyInstance } from 'fastify'
import { closeAfterRefusal } from '#platform/http/multipart.ts'

const { freeParts, minMeanPart } = connectionLimits

/**
 * Closes connections that send a body in chunks of some bytes (`connectionLimits`). After a reply, Node would
 * go on reading a body in chunks to its end, so such a connection is closed, too.
 */
export function closeSmallParts(app: FastifyInstance): void {
  const hasChunks = ({ headers }: { headers: Record<string, unknown> }) =>
    headers['transfer-encoding'] !== undefined
  app.addHook('onRequest', async ({ raw }) => {
    if (!hasChunks(raw)) return
    const push = raw.push.bind(raw)
    let parts = 0
    let bytes = 0
    // Before the part is kept: `data` comes when it is read, which may be later.
    raw.push = (part: Buffer | null, encoding) => {
      parts++
      bytes += part?.length ?? 0
      if (parts <= freeParts || bytes >= parts * minMeanPart) return push(part, encoding)
      raw.destroy()
      return false
    }
  })
  app.addHook('onSend', async (request, reply) => {
    if (hasChunks(request.raw)) closeAfterRefusal(request, reply)
  })
}
