import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { ReceiptKey } from '#platform/signing/stored-receipt-keys.ts'

export type Signed<Content> = Content & { keyId: string; signature: string }

/** Signs what the portal confirms, in its RFC 8785 form. The id of the key is signed, too. */
export function signContent<Content extends object>(content: Content, key: ReceiptKey): Signed<Content> {
  const signed = { ...content, keyId: key.id }
  const privateKey = createPrivateKey({ format: 'jwk', key: { ...jwkOf(key), d: key.privateKey } })
  const signature = sign(null, Buffer.from(canonicalize(signed) as string), privateKey)
  return { ...signed, signature: signature.toString('base64url') }
}

/** Whether the key signed exactly this. */
export function isSignedBy(key: Pick<ReceiptKey, 'publicKey'>, { signature, ...content }: Signed<object>) {
  const publicKey = createPublicKey({ format: 'jwk', key: jwkOf(key) })
  const bytes = Buffer.from(canonicalize(content) as string)
  return verify(null, bytes, publicKey, Buffer.from(signature, 'base64url'))
}

const jwkOf = ({ publicKey }: Pick<ReceiptKey, 'publicKey'>) => ({ kty: 'OKP', crv: 'Ed25519', x: publicKey })
