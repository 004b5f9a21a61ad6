import { finished } from 'node:stream'
import { bodyLimits } from '@veridict/contract/limits'
import type { FastifyInstance } from 'fastify'
import { bodyBytes } from '#http/body-bytes.ts'

/**
 * Limits the large bodies of callers without an account that are in memory at once, with 429 before a body is
 * read. People log in with less than a kilobyte, so a flood of large bodies keeps nobody out. Who has an
 * account has a limit of her own (`http/mount.ts`).
 */
export function limitLargeBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async (request) => {
    if (request.viewer !== null || bodyBytes(request) <= bodyLimits.maxSmallBytes) return
    const end = app.deps.limits.largeBodies.begin('of visitors')
    finished(request.raw, { writable: false }, end)
  })
}
