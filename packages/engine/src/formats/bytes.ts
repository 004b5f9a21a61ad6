import { SPACE } from '#formats/byte-names.ts'

/** A text of ASCII characters as bytes. */
export const ascii = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0))

/** Whether the bytes at `at` are `expected`. */
export function hasBytesAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++)
    if (bytes[at + index] !== expected[index]) return false
  return true
}

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf)

/** Whether `[from, to)` holds only white space or a byte order mark. */
export function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  // A single read after the last byte makes V8 compile `hasBytesAt` into slower code, also for the cells.
  const hasMark = to - from >= BYTE_ORDER_MARK.length && hasBytesAt(bytes, from, BYTE_ORDER_MARK)
  let at = hasMark ? from + BYTE_ORDER_MARK.length : from
  while (at < to && bytes[at] <= SPACE) at++
  return at >= to
}
