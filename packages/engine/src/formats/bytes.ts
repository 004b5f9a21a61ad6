import { SPACE } from '#formats/byte-names.ts'

/** A text of ASCII characters as bytes. `Uint8Array.from` takes ten times as long. */
export function ascii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** A buffer of twice the length that begins with the first `held` bytes. */
export function grown(buffer: Uint8Array, held: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(buffer.length * 2)
  larger.set(buffer.subarray(0, held))
  return larger
}

/** Whether the bytes at `at` are `expected`; there must be as many. */
export function hasBytesAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++)
    if (bytes[at + index] !== expected[index]) return false
  return true
}

export function beginsAt(bytes: Uint8Array, at: number, expected: Uint8Array, end = bytes.length): boolean {
  // A single read after the last byte makes V8 compile `hasBytesAt` into slower code, also for the cells.
  return at + expected.length <= end && hasBytesAt(bytes, at, expected)
}

/** Where `wanted` begins, from `from` on and before `end`; -1 if it is not there. */
export function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array, from = 0, end = bytes.length): number {
  for (
    let at = bytes.indexOf(wanted[0], from);
    at >= 0 && at + wanted.length <= end;
    at = bytes.indexOf(wanted[0], at + 1)
  )
    if (hasBytesAt(bytes, at, wanted)) return at
  return -1
}

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf)

/** Whether `[from, to)` holds only white space or a byte order mark. */
export function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  let at = beginsAt(bytes, from, BYTE_ORDER_MARK, to) ? from + BYTE_ORDER_MARK.length : from
  while (at < to && bytes[at] <= SPACE) at++
  return at >= to
}

/** Frees memory at once, where the browser can: until the garbage collector came, more of it was taken. */
export const freeMemory = ({ buffer }: Uint8Array | Uint32Array): void =>
  void (buffer as Partial<ArrayBuffer>).transfer?.(0)

export function lengthened(words: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(length)
  longer.set(words)
  freeMemory(words)
  return longer
}
