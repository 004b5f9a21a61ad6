import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import { type Selectable, sql } from 'kysely'
import type { Deps } from '#deps.ts'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import { shareRead } from '#platform/database/shared-reads.ts'
import type { Database, Db } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'

/** A public Ed25519 key as a JSON Web Key (RFC 8037). */
type PublicJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; use: 'sig'; alg: 'EdDSA' }

/** The key that signs receipts; made if there is none yet. */
export async function ensureSigningKey({ db }: Pick<Deps, 'db'>): Promise<ReceiptKey> {
  const key = await shareRead(db, 'signing key', () => findSigningKey(db))
  if (key !== undefined) return key
  return inTransaction(db, async (trx) => {
    // Of servers that start at the same time, only one makes the first key.
    await sql`select pg_advisory_xact_lock(hashtext('veridict: receipt keys'))`.execute(trx)
    return (await findSigningKey(trx)) ?? makeKey(trx)
  })
}

/** From now on a new key signs; receipts of earlier ones can still be checked. Returns its id. */
export async function replaceSigningKey({ db }: Pick<Deps, 'db'>): Promise<string> {
  return (await inTransaction(db, makeKey)).id
}

function makeKey(db: Db): Promise<ReceiptKey> {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Jwk
  const key = { id: thumbprint(x), publicKey: x, privateKey: d }
  return db.insertInto('receiptKeys').values(key).returningAll().executeTakeFirstOrThrow()
}
type Jwk = { x: string; d: string }

/** RFC 7638: SHA-256 of the required members in the order of the alphabet. */
export const thumbprint = (x: string): string =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')

/** Every public key as a JSON Web Key Set (RFC 7517), the signing one first. */
export async function listPublicKeys({ db }: Pick<Deps, 'db'>): Promise<{ keys: PublicJwk[] }> {
  // Everybody may read them without a key.
  const keys = await shareRead(db, 'receipt keys', () => findPublicKeys(db))
  return { keys: keys.map((key) => ({ ...jwkOf(key), kid: key.id, use: 'sig', alg: 'EdDSA' })) }
}

type ReceiptKey = Selectable<Database['receiptKeys']>

const signingKey = sql<ReceiptKey>`select * from receipt_keys order by created_at desc, id limit 1`

/** The newest key, which signs; undefined in a new database. */
export const findSigningKey = async (db: Db): Promise<ReceiptKey | undefined> =>
  (await runPrepared(db, signingKey))[0]

/** Every key without its private half, newest first. */
export const findPublicKeys = (db: Db): Promise<Pick<ReceiptKey, 'id' | 'publicKey'>[]> =>
  db.selectFrom('receiptKeys').select(['id', 'publicKey']).orderBy('createdAt', 'desc').execute()

export type Signed<Content> = Content & { keyId: string; signature: string }

/** By their stored text: to read one takes as long as to sign. */
const keyObjects = new Map<string, ReturnType<typeof createPrivateKey>>()

/** Signs what the portal confirms, in its RFC 8785 form. The id of the key is signed, too. */
export function signContent<Content extends object>(content: Content, key: ReceiptKey): Signed<Content> {
  const signed = { ...content, keyId: key.id }
  const jwk = { ...jwkOf(key), d: key.privateKey }
  const privateKey = keyObjects.get(jwk.d) ?? createPrivateKey({ format: 'jwk', key: jwk })
  keyObjects.set(jwk.d, privateKey)
  const signature = sign(null, Buffer.from(canonicalize(signed) as string), privateKey)
  return { ...signed, signature: signature.toString('base64url') }
}

export function isSignedBy(key: Pick<ReceiptKey, 'publicKey'>, { signature, ...content }: Signed<object>) {
  const publicKey = createPublicKey({ format: 'jwk', key: jwkOf(key) })
  const bytes = Buffer.from(canonicalize(content) as string)
  return verify(null, bytes, publicKey, Buffer.from(signature, 'base64url'))
}

const jwkOf = ({ publicKey }: Pick<ReceiptKey, 'publicKey'>) =>
  ({ kty: 'OKP', crv: 'Ed25519', x: publicKey }) as const
