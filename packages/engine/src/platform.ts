/**
 * What differs between Node and a browser. The caller passes it in, so the engine imports neither.
 * `@veridict/engine-node` makes one for Node.
 */
export type Platform = {
  /**
   * Raw deflate (RFC 1951) → bytes. Throws on damaged data; may ignore bytes after the end of the stream.
   * `compressed` may be iterated again. A chunk is valid until the next one is asked for. Works best with
   * chunks of some 256 KiB and a read-ahead of several MiB.
   */
  inflateRaw(compressed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Bytes → raw deflate, level 1. */
  deflateRaw(plain: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** UTF-8 bytes → text. Keeps a BOM; bytes that are not UTF-8 become U+FFFD. */
  decodeUtf8(bytes: Uint8Array, start: number, end: number): string
  encodeUtf8(text: string): Uint8Array
  /** Whether the bytes are well-formed UTF-8. */
  isUtf8(bytes: Uint8Array): boolean
  /** CRC-32 as in ZIP (ISO 3309), continued from `seed` (0 at first); an unsigned integer. */
  crc32(bytes: Uint8Array, seed: number): number
  /** Today's year, for dates with two-digit years. */
  currentYear: number
}
