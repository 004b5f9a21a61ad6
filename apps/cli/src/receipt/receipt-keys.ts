import { createPublicKey, type KeyObject } from 'node:crypto'
import { receiptKeysPath } from '@veridict/contract/api/receipts'
import { UsageError } from '#exit-code.ts'
import { readReply } from '#portal/read-reply.ts'

/** Public keys by their ids. `portal`: the address that published them; null for those of a file. */
export type ReceiptKeys = { keys: ReadonlyMap<string, KeyObject>; portal: string | null }

const TIMEOUT_MILLISECONDS = 20_000

/** The keys that a portal publishes. Redirects are refused: they could lead to keys of somebody else. */
export async function fetchKeys(portal: string): Promise<ReceiptKeys> {
  if (!/^https?:\/\//i.test(portal) || !URL.canParse(portal))
    throw new UsageError(`--url ${portal} is not the address of a portal.`)
  const address = portal.replace(/\/+$/, '') + receiptKeysPath
  return { ...keysIn(await fetchJson(address), address), portal }
}

async function fetchJson(address: string): Promise<unknown> {
  try {
    const response = await fetch(address, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return JSON.parse(await readReply(response.body)) as unknown
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    throw new UsageError(`The keys cannot be read from ${address}: ${reason}.`, { cause: error })
  }
}

/** The Ed25519 keys of a JSON Web Key Set (RFC 8037); keys of other kinds are ignored. */
export function keysIn(json: unknown, origin: string): Pick<ReceiptKeys, 'keys'> {
  const listed = (json as { keys?: unknown } | null)?.keys
  const found = (Array.isArray(listed) ? listed : []).flatMap(toKey)
  if (found.length === 0) throw new UsageError(`${origin} has no keys of receipts.`)
  return { keys: new Map(found) }
}

type Jwk = { kty?: unknown; crv?: unknown; x?: unknown; kid?: unknown }

function toKey(jwk: Jwk | null): [string, KeyObject][] {
  const { kty, crv, x, kid } = jwk ?? {}
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || typeof kid !== 'string') return []
  try {
    return [[kid, createPublicKey({ format: 'jwk', key: { kty, crv, x } })]]
  } catch {
    return []
  }
}
