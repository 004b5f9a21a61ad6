import { jsonOrNull } from '@veridict/contract/notation/json-or-null'
import { utcDay } from '@veridict/contract/notation/utc-day'
import { z } from 'zod'
import type { AuditChainRow, Db } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { oneChunk, sha256Of } from '#platform/storage/chunks.ts'
import { findAuditChain, lockAuditHead } from '#audit/audit-chain.ts'
import {
  ensureSigningKey,
  findPublicKeys,
  isSignedBy,
  signContent,
  type Signed,
} from '#platform/signing/receipt-keys.ts'
import { findStorageId } from '#platform/storage/identify-storage.ts'
import { linkAuditTrail } from '#audit/keep-audit-trail.ts'

/** `place` and `hash` are those of the last entry at that moment. See docs/BEHAVIOUR.md#heads. */
const auditHead = z.object({
  type: z.literal('veridict audit head'),
  portal: z.string(),
  /** The id of the portal's storage, which no other portal has. */
  storage: z.string(),
  at: z.iso.datetime(),
  place: z.int().min(1),
  hash: z.string(),
  removedByRetention: z.int(),
  removedHash: z.string(),
})
export type AuditHead = z.infer<typeof auditHead>

const signedHead = auditHead.extend({ keyId: z.string(), signature: z.string() })

const pathOf = (day: Date): string => `.audit-heads/${utcDay(day)}.json`

/** Writes today's (UTC) into the storage, if it is not there. Copies elsewhere show a rewritten trail. */
export async function writeAuditHead(deps: Pick<Deps, 'db' | 'env' | 'storage' | 'log'>): Promise<void> {
  await linkAuditTrail(deps)
  const key = await ensureSigningKey(deps)
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockAuditHead(trx))) return
    const chain = await findAuditChain(trx)
    const path = pathOf(chain.now)
    if (chain.lastPlace === 0 || (await deps.storage.exists(path))) return
    const head = signContent(headOf(chain, (await deps.storage.id()) ?? '', deps), key)
    const bytes = Buffer.from(`${JSON.stringify(head, null, 2)}\n`)
    await deps.storage.put([{ path, source: oneChunk(bytes), sha256: await sha256Of(oneChunk(bytes)) }])
  })
}

const headOf = (
  chain: AuditChainRow & { now: Date },
  storage: string,
  { env }: Pick<Deps, 'env'>,
): AuditHead => ({
  type: 'veridict audit head',
  portal: env.publicUrl,
  storage,
  at: chain.now.toISOString(),
  place: chain.lastPlace,
  hash: chain.lastHash,
  removedByRetention: chain.removedPlace,
  removedHash: chain.removedHash,
})

/** The head in the text of its file; null if it is none. */
export const readAuditHead = (text: string): Signed<AuditHead> | null =>
  signedHead.strict().safeParse(jsonOrNull(text)).data ?? null

/** Why a head is not one that the portal of this database signed; null if it is. */
export async function foreignHead(db: Db, head: Signed<AuditHead>): Promise<string | null> {
  if (head.storage !== (await findStorageId(db)))
    return `The head belongs to another portal: to the storage ${head.storage} of ${head.portal}.`
  const key = (await findPublicKeys(db)).find(({ id }) => id === head.keyId)
  if (key !== undefined && isSignedBy(key, head)) return null
  return 'The head was changed, or this portal does not have the key any more that signed it.'
}
