import {
  AMPERSAND,
  CARRIAGE_RETURN,
  LESS_THAN,
  LINE_FEED,
  LOWER_X,
  NUL,
  QUOTE,
  SPACE,
  UNDERSCORE,
} from '#formats/byte-names.ts'
import type { Terminators } from '#formats/terminators.ts'

/** U+FFFD in UTF-8. */
const REPLACEMENT = [0xef, 0xbf, 0xbd] as const

/** Up to `Character`, the number is what a byte adds to a text's length; larger kinds end the fast walk. */
export const ByteKind = {
  /** A UTF-8 continuation byte: part of a character that is already counted. */
  Continuation: 0,
  /** ASCII, or the first of two to four bytes. */
  Character: 1,
  /** Ends the cell. */
  End: 2,
  /** Only the reference can decide. */
  Unsure: 3,
  /** Depends on the bytes after it: see `isSuspect`. */
  Suspect: 4,
} as const

export type ByteKinds = Uint8Array

function kindsOf(ends: readonly number[], unsure: readonly number[]): ByteKinds {
  const kinds = new Uint8Array(256).fill(ByteKind.Character)
  kinds.fill(ByteKind.Continuation, 0x80, 0xc0)
  kinds[REPLACEMENT[0]] = ByteKind.Suspect
  for (const byte of ends) kinds[byte] = ByteKind.End
  for (const byte of unsure) kinds[byte] = ByteKind.Unsure
  return kinds
}

/** The kinds for cells without quotes (csv), or for the text of an element (xml). */
export function byteKinds(terminators: Terminators): ByteKinds {
  if (terminators.kind === 'csv')
    return kindsOf([terminators.delimiter, LINE_FEED, CARRIAGE_RETURN], [QUOTE, NUL])
  const kinds = kindsOf([LESS_THAN], [AMPERSAND, CARRIAGE_RETURN, NUL])
  kinds[UNDERSCORE] = ByteKind.Suspect
  return kinds
}

/** The kinds inside a quoted cell: line breaks and delimiters are text, the first quote ends it. */
export const quotedKinds: ByteKinds = kindsOf([QUOTE], [NUL])

/** Whether `trim` may change the cell. True also for typographic quotes: they begin like wide spaces. */
export function mayBePadded(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start]
  const last = bytes[end - 1]
  if (first <= SPACE || last <= SPACE) return true
  return (
    (first >= 0x80 && mayBeWideSpace(bytes, start)) || (last >= 0x80 && endsWithWideSpace(bytes, start, end))
  )
}

/** U+00A0 is C2 A0, U+1680 E1 9A 80, U+2000–205F E2 80–81 xx, U+3000 E3 80 80, U+FEFF EF BB BF. */
function mayBeWideSpace(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1]
  switch (bytes[at]) {
    case 0xc2:
      return second === 0xa0
    case 0xe1:
      return second === 0x9a
    case 0xe2:
      return second === 0x80 || second === 0x81
    case 0xe3:
      return second === 0x80
    case 0xef:
      return second === 0xbb
    default:
      return false
  }
}

function endsWithWideSpace(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    (end - start >= 2 && bytes[end - 2] === 0xc2 && bytes[end - 1] === 0xa0) ||
    (end - start >= 3 && mayBeWideSpace(bytes, end - 3))
  )
}

/** Whether a `Suspect` byte begins what only the reference may check: U+FFFD, in xml also _x000D_. */
export function isSuspect(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] === UNDERSCORE) return bytes[at + 1] === LOWER_X
  return bytes[at + 1] === REPLACEMENT[1] && bytes[at + 2] === REPLACEMENT[2]
}
