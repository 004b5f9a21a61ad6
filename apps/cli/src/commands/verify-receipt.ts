import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { receiptKeysPath } from '@veridict/contract/api/receipts'
import { receiptMessages as texts } from '@veridict/contract/messages/receipts'
import canonicalize from 'canonicalize'
import { ExitCode, UsageError, openOrRefuse, parseJson } from '#exit-code.ts'
import { print, printable } from '#print/print.ts'
import { readReply, reasonOf } from '#portal/portal.ts'

type VerifyArguments = {
  file: string
  receipt: string
  /** The source of the keys: one of these two. Never the address in the receipt. */
  url: string | undefined
  keys: string | undefined
}

/**
 * `veridict receipt verify`: whether the receipt belongs to the file and the portal signed exactly this one.
 * Throws UsageError if that cannot be checked.
 */
export async function verifyReceipt({ file, receipt: path, url, keys }: VerifyArguments): Promise<ExitCode> {
  if ((url === undefined) === (keys === undefined))
    throw new UsageError('receipt verify needs --url PORTAL or --keys JWKS.json, where the keys come from.')
  const receipt = receiptIn(await readJson(path), path)
  const faults = await faultsOfFile(file, receipt)
  // Also for this machine: any of its accounts may listen on a free port.
  if (url?.toLowerCase().startsWith('http:')) process.stderr.write(`${printable(texts.plainHttp(url))}\n`)
  const trusted = url === undefined ? keysIn(await readJson(keys!), keys!, null) : await fetchKeys(url)
  const signature = signatureFault(receipt, trusted)
  if (signature !== null) faults.push(signature)
  if (faults.length > 0) {
    process.stderr.write(faults.map((fault) => `${printable(fault)}\n`).join(''))
    return ExitCode.NotPassed
  }
  print(`${texts.isTheFile}\n${summaryOf(receipt)}`)
  return ExitCode.Passed
}

/** The receipt in a JSON value: the value itself, or the `value` of the call's response. */
function receiptIn(json: unknown, path: string): SignedReceipt {
  const outer = json as { value?: unknown; signature?: unknown } | null
  const receipt = (outer?.signature === undefined ? outer?.value : outer) as SignedReceipt | null | undefined
  if (typeof receipt?.signature !== 'string' || typeof receipt.keyId !== 'string')
    throw new UsageError(`${path} is not a receipt: it has no signature with a key.`)
  return receipt
}

async function faultsOfFile(file: string, receipt: SignedReceipt): Promise<string[]> {
  const { size, sha256 } = await openOrRefuse(file, () => digestOf(file))
  return [
    ...(size === receipt['size'] ? [] : [texts.otherSize(size, receipt['size'])]),
    ...(sha256 === receipt['sha256'] ? [] : [texts.otherBytes]),
  ]
}

async function digestOf(file: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}

const readJson = async (path: string): Promise<unknown> =>
  parseJson(await openOrRefuse(path, () => readFileSync(path, 'utf8')), path)

/** Public keys by their ids. `portal`: the address that published them; null for those of a file. */
type ReceiptKeys = { keys: ReadonlyMap<string, KeyObject>; portal: string | null }

const TIMEOUT_MILLISECONDS = 20_000

/** The keys that a portal publishes. Redirects are refused: they could lead to keys of somebody else. */
async function fetchKeys(portal: string): Promise<ReceiptKeys> {
  if (!/^https?:\/\//i.test(portal) || !URL.canParse(portal))
    throw new UsageError(`--url ${portal} is not the address of a portal.`)
  const address = portal.replace(/\/+$/, '') + receiptKeysPath
  return keysIn(await fetchJson(address), address, portal)
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
    const reason = reasonOf(error as Error)
    throw new UsageError(`The keys cannot be read from ${address}: ${reason}.`, { cause: error })
  }
}

/** The Ed25519 keys of a JSON Web Key Set (RFC 8037); keys of other kinds are ignored. */
function keysIn(json: unknown, origin: string, portal: string | null): ReceiptKeys {
  const listed = (json as { keys?: unknown } | null)?.keys
  const found = (Array.isArray(listed) ? listed : []).flatMap(toKey)
  if (found.length === 0) throw new UsageError(`${origin} has no keys of receipts.`)
  return { keys: new Map(found), portal }
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

/** All members except the signature, one on each line. */
function summaryOf(receipt: SignedReceipt): string {
  const facts = Object.entries(receipt).filter(([name]) => name !== 'signature')
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts
    .map(([name, value]) => `  ${printable(name.padEnd(width))}  ${printable(String(value))}\n`)
    .join('')
}

/** A receipt as it was read: any of its members may be wrong. */
type SignedReceipt = { signature: string; keyId: string; [member: string]: unknown }

/**
 * null if nothing is wrong. A portal publishes every key that it ever had: a receipt with another key is not
 * from it. A file of keys may be older than the receipt: if it lacks the key, this throws UsageError.
 */
function signatureFault(receipt: SignedReceipt, { keys, portal }: ReceiptKeys): string | null {
  const key = keys.get(receipt.keyId)
  if (key !== undefined) return isSigned(receipt, key) ? null : texts.wrongSignature
  if (portal !== null) return texts.unknownKey(portal)
  const signer = [...keys].find(([keyId, known]) => isSigned({ ...receipt, keyId }, known))
  if (signer !== undefined) return texts.wrongSignature
  throw new UsageError(`The key ${printable(receipt.keyId)} of the receipt is not among the given keys.`)
}

/** The signature is over the RFC 8785 form of all other members. */
function isSigned({ signature, ...content }: SignedReceipt, key: KeyObject): boolean {
  const bytes = Buffer.from(signature, 'base64url')
  // A changed last character, or an added one, can decode to the same bytes.
  if (bytes.toString('base64url') !== signature) return false
  try {
    return verify(null, Buffer.from(canonicalize(content) as string), key, bytes)
  } catch {
    // Text that is not well-formed has no canonical form, so it cannot have been signed.
    return false
  }
}
