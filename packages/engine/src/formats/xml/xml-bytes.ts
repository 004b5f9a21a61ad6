import * as byteNames from '#formats/byte-names.ts'
import { ascii } from '#formats/bytes.ts'

const { LINE_FEED, LOWER_X, QUOTE, SPACE, TAB, UNDERSCORE } = byteNames
const FIRST_CAPACITY = 256 * 1024
/** The most bytes that one byte of text becomes: `_x0000_`, or `&quot;`. */
const MAX_BYTE_GROWTH = 7

const NONCHARACTER_LEAD = 0xef
const HEX = '0123456789ABCDEF'

/** Bytes of UTF-8 that XML text never has to escape. */
const PLAIN = new Uint8Array(256).fill(1)
PLAIN.fill(0, 0, SPACE)
PLAIN[TAB] = PLAIN[LINE_FEED] = 1
PLAIN[UNDERSCORE] = PLAIN[NONCHARACTER_LEAD] = 0
const ENTITIES: (Uint8Array | undefined)[] = []
for (const [character, entity] of [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]) {
  PLAIN[character.charCodeAt(0)] = 0
  ENTITIES[character.charCodeAt(0)] = ascii(entity)
}

/** A buffer for XML made from bytes: strings in between take three times as long. Escapes as `escapeXml`. */
export class XmlBytes {
  length = 0
  private bytes = new Uint8Array(FIRST_CAPACITY)

  /** The bytes written since the last call. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length)
    this.bytes = new Uint8Array(FIRST_CAPACITY)
    this.length = 0
    return taken
  }

  /** Markup, as it is. */
  markup(literal: Uint8Array): void {
    this.reserve(literal.length)
    const { bytes } = this
    let at = this.length
    for (let index = 0; index < literal.length; index++) bytes[at++] = literal[index]
    this.length = at
  }

  copy(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start)
    this.bytes.set(from.subarray(start, end), this.length)
    this.length += end - start
  }

  /** Escapes and writes well-formed UTF-8. `hasEscapedQuotes`: two quotes in it mean one. */
  text(from: Uint8Array, start: number, end: number, hasEscapedQuotes: boolean): void {
    this.reserve((end - start) * MAX_BYTE_GROWTH)
    const { bytes } = this
    let at = this.length
    for (let index = start; index < end; index++) {
      const byte = from[index]
      if (PLAIN[byte] === 1) {
        bytes[at++] = byte
        continue
      }
      this.length = at
      if (hasEscapedQuotes && byte === QUOTE) index++
      index += this.special(from, index, end)
      at = this.length
    }
    this.length = at
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const larger = new Uint8Array((this.length + count) * 2)
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }

  /** Writes a byte whose escape depends on what follows; returns how many more bytes it used. */
  private special(from: Uint8Array, at: number, end: number): number {
    const byte = from[at]
    const entity = ENTITIES[byte]
    if (entity !== undefined) this.markup(entity)
    else if (byte === NONCHARACTER_LEAD && at + 2 < end && from[at + 1] === 0xbf && from[at + 2] >= 0xbe) {
      this.escape(0xff40 | from[at + 2])
      return 2
    } else if (byte < SPACE || (byte === UNDERSCORE && opensEscape(from, at, end))) this.escape(byte)
    else this.bytes[this.length++] = byte
    return 0
  }

  private escape(unit: number): void {
    const { bytes } = this
    bytes[this.length++] = UNDERSCORE
    bytes[this.length++] = LOWER_X
    for (let shift = 12; shift >= 0; shift -= 4) bytes[this.length++] = HEX.charCodeAt((unit >> shift) & 15)
    bytes[this.length++] = UNDERSCORE
  }
}

/** Whether the text reads like an escaped character (`_x000D_`), so that its `_` must be escaped. */
function opensEscape(from: Uint8Array, at: number, end: number): boolean {
  if (at + 7 > end || from[at + 1] !== LOWER_X || from[at + 6] !== UNDERSCORE) return false
  for (let index = at + 2; index < at + 6; index++)
    if (!/[0-9A-Fa-f]/.test(String.fromCharCode(from[index]))) return false
  return true
}
