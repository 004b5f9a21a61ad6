/** What differs between Node (`@veridict/engine-node`) and a browser, so that the engine imports neither. */
export type Platform = {
  /**
   * Raw deflate (RFC 1951) of `size` bytes → bytes. Throws on damaged data; may ignore bytes after its end. A
   * chunk, packed or not, is valid until the next one is asked for. Best with 512 KiB chunks, several MiB of
   * read-ahead.
   */
  inflateRaw(compressed: AsyncIterable<Uint8Array>, size: number): AsyncIterable<Uint8Array>
  /** Bytes → raw deflate, level 1. */
  deflateRaw(plain: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** UTF-8 bytes → text. Keeps a BOM; bytes that are not UTF-8 become U+FFFD. */
  decodeUtf8(bytes: Uint8Array, start: number, end: number): string
  encodeUtf8(text: string): Uint8Array
  isUtf8(bytes: Uint8Array): boolean
  /** CRC-32 as in ZIP (ISO 3309), continued from `seed` (0 at first); an unsigned integer. */
  crc32(bytes: Uint8Array, seed: number): number
  /** Today's year, for dates with two-digit years. */
  currentYear: number
}

/** What checks of texts and rows need of it. */
export type TextPlatform = Pick<Platform, 'encodeUtf8' | 'decodeUtf8' | 'currentYear'>
