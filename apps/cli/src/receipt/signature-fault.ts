import { verify, type KeyObject } from 'node:crypto'
import { receiptMessages as texts } from '@veridict/contract/messages/receipts'
import canonicalize from 'canonicalize'
import { UsageError } from '#exit-code.ts'
import { printable } from '#print/printable.ts'
import type { ReceiptKeys } from './receipt-keys.ts'

/** A receipt as it was read: any of its members may be wrong. */
export type SignedReceipt = { signature: string; keyId: string; [member: string]: unknown }

/**
 * What is wrong with the signature of a receipt, or null. A portal publishes every key that it ever had, so a
 * receipt with another key is not from it. A file of keys may be older than the receipt's key, so for a key
 * that is missing in a file, this throws UsageError.
 */
export function signatureFault(receipt: SignedReceipt, { keys, portal }: ReceiptKeys): string | null {
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
