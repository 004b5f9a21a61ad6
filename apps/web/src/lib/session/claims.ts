import type { AccessClaims } from '@veridict/contract/notation/access-claims'

/** Claims of an access token, without checking its signature (the server does); null if it is not a token. */
export function readClaims(token: string): AccessClaims | null {
  try {
    const payload = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return claims !== null && typeof claims === 'object' && 'exp' in claims ? (claims as AccessClaims) : null
  } catch {
    return null
  }
}
