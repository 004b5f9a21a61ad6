/**
 * What differs between Node and a browser, handed in, so that the engine itself imports neither.
 * `@veridict/engine-node` makes one for Node.
 */
export type Platform = {
  /**
   * Raw deflate (RFC 1951) → bytes. Throws on damaged data. Chunks of some 256 KiB with several MiB of
   * read-ahead serve best.
   */
  inflateRaw(compressed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Bytes → raw deflate, level 1. */
  deflateRaw(plain: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** UTF-8 bytes → text, no BOM handling, replacement character for what is not UTF-8. */
  decodeUtf8(bytes: Uint8Array, start: number, end: number): string
  encodeUtf8(text: string): Uint8Array
  /** Whether the bytes are well-formed UTF-8. */
  isUtf8(bytes: Uint8Array): boolean
  /** CRC-32 as in ZIP (ISO 3309), unsigned. `seed`: the checksum of the bytes before. */
  crc32(bytes: Uint8Array, seed: number): number
  /** Today, for two-digit years (decisions, "Date"). */
  currentYear: number
}
