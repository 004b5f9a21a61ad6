import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { receiptMessages as texts } from '@veridict/contract/messages/receipts'
import { ExitCode, UsageError } from '#exit-code.ts'
import { openOrRefuse } from '#open-or-refuse.ts'
import { print } from '#print/print.ts'
import { printable } from '#print/printable.ts'
import { fetchKeys, keysIn, type ReceiptKeys } from '#receipt/receipt-keys.ts'
import { signatureFault, type SignedReceipt } from '#receipt/signature-fault.ts'

type VerifyArguments = {
  file: string
  receipt: string
  /** The source of the keys: one of these two. Never the address in the receipt. */
  url: string | undefined
  keys: string | undefined
}

/**
 * `veridict receipt verify`: checks whether a receipt belongs to a file, and whether the portal signed
 * exactly this receipt. Throws UsageError if that cannot be checked.
 */
export async function verifyReceipt({ file, receipt: path, url, keys }: VerifyArguments): Promise<ExitCode> {
  if ((url === undefined) === (keys === undefined))
    throw new UsageError('receipt verify needs --url PORTAL or --keys JWKS.json, where the keys come from.')
  const receipt = receiptIn(await readJson(path), path)
  const faults = await faultsOfFile(file, receipt)
  // Also for this machine: any of its accounts may listen on a free port.
  if (url?.toLowerCase().startsWith('http:')) process.stderr.write(`${printable(texts.plainHttp(url))}\n`)
  const trusted = url === undefined ? await readKeys(String(keys)) : await fetchKeys(url)
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

const readKeys = async (path: string): Promise<ReceiptKeys> => ({
  ...keysIn(await readJson(path), path),
  portal: null,
})

async function readJson(path: string): Promise<unknown> {
  const text = await openOrRefuse(path, () => readFileSync(path, 'utf8'))
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${path} is not JSON.`)
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
