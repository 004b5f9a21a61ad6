import { createHash, generateKeyPairSync } from 'node:crypto'
import type { Kysely } from 'kysely'
import { shareRead } from '#platform/database/shared-reads.ts'
import type { Database } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import {
  addReceiptKey,
  findPublicKeys,
  findSigningKey,
  lockReceiptKeys,
  type ReceiptKey,
} from '#platform/signing/stored-receipt-keys.ts'

/** A public Ed25519 key as a JSON Web Key (RFC 8037). */
type PublicJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; use: 'sig'; alg: 'EdDSA' }

/** The key that signs receipts; made if there is none yet. */
export async function ensureSigningKey({ db }: Pick<Deps, 'db'>): Promise<ReceiptKey> {
  const key = await findSigningKey(db)
  if (key !== undefined) return key
  return inTransaction(db, async (trx) => {
    await lockReceiptKeys(trx)
    return (await findSigningKey(trx)) ?? makeKey(trx)
  })
}

/** From now on a new key signs; receipts of earlier ones can still be checked. Returns its id. */
export async function replaceSigningKey({ db }: Pick<Deps, 'db'>): Promise<string> {
  return (await inTransaction(db, makeKey)).id
}

function makeKey(db: Kysely<Database>): Promise<ReceiptKey> {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Jwk
  return addReceiptKey(db, { id: thumbprint(x), publicKey: x, privateKey: d })
}
type Jwk = { x: string; d: string }

/** RFC 7638: SHA-256 of the required members in the order of the alphabet. */
export const thumbprint = (x: string): string =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')

/** Every public key as a JSON Web Key Set (RFC 7517), the signing one first. */
export async function listPublicKeys({ db }: Pick<Deps, 'db'>): Promise<{ keys: PublicJwk[] }> {
  // Everybody may read them without a key.
  const keys = await shareRead(db, 'receipt keys', () => findPublicKeys(db))
  return {
    keys: keys.map(({ id, publicKey }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: publicKey,
      kid: id,
      use: 'sig',
      alg: 'EdDSA',
    })),
  }
}
