import { expect, it } from 'vitest'
import { readClaims } from './token-store.ts'

const tokenOf = (claims: unknown) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`

it('reads claims with non-ASCII characters', () => {
  expect(readClaims(tokenOf({ exp: 1, email: 'ä@ö.example' }))).toEqual({ exp: 1, email: 'ä@ö.example' })
})

it.for(['', 'a', 'a.b.c', 'a.!!.c', tokenOf('text'), tokenOf(null), tokenOf({ iat: 1 })])(
  'returns null for %s',
  (text) => {
    expect(readClaims(text)).toBeNull()
  },
)
