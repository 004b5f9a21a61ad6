import { createPrivateKey, sign } from 'node:crypto'
import type { Receipt } from '@veridict/contract/api/receipts'
import canonicalize from 'canonicalize'
import type { ReceiptKey } from '#repositories/receipt-keys.ts'

/** Signs the content of a receipt. The id of the key is signed, too. */
export function signReceipt(content: Omit<Receipt, 'signature' | 'keyId'>, key: ReceiptKey): Receipt {
  const signed = { ...content, keyId: key.id }
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: key.publicKey, d: key.privateKey },
  })
  const signature = sign(null, Buffer.from(canonicalize(signed) as string), privateKey)
  return { ...signed, signature: signature.toString('base64url') }
}
