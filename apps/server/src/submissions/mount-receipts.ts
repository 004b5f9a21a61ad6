import { readReceipt, receiptKeysPath } from '@veridict/contract/api/receipts'
import type { FastifyInstance } from 'fastify'
import { LongResult, mount } from '#platform/http/mount.ts'
import { readReceipt as read } from '#submissions/read-receipt.ts'
import { listPublicKeys } from '#platform/signing/receipt-keys.ts'

/** A new key is published this long after it signed first, at the latest. */
const KEYS_MAX_AGE_SECONDS = 60

export function mountReceipts(app: FastifyInstance): void {
  mount(
    app,
    readReceipt,
    async ({ params, viewer, deps }) =>
      new LongResult([await read(params.id, viewer, deps)], { isDownload: false }),
  )

  app.get(receiptKeysPath, async (_request, reply) => {
    reply.header('Cache-Control', `public, max-age=${KEYS_MAX_AGE_SECONDS}`)
    return listPublicKeys(app.deps)
  })
}
