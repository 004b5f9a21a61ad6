import type { Platform } from '#platform.ts'
import { CARRIAGE_RETURN, type CsvDialect, isPadding, LINE_FEED, QUOTE } from '#source/csv/csv-dialect.ts'
import { LOST_CHARACTER } from '#source/csv/record-reader.ts'

/** Answer of `CellReader.read`: the cell goes on behind the bytes at hand. */
export const CUT = -1

/**
 * Thrown by the judge where a file breaks the grammar or a guard. It carries nothing: the reference reads the file from
 * its start and names the problem, so that its sentence and its line exist once.
 */
export class Suspicion extends Error {}

/**
 * The judge's view of one cell that the fast path would not vouch for: finds its end, resolves its quotes and decodes it.
 * The grammar is that of `RecordReader`. One object serves all cells, so that a bad cell allocates nothing but its text.
 */
export class CellReader {
  /** The cell read last: raw, quotes resolved. */
  text = ''
  readonly #dialect: CsvDialect
  readonly #platform: Pick<Platform, 'decodeUtf8'>
  /** 1 for every byte that ends an unquoted cell. */
  readonly #ends = new Uint8Array(256)

  constructor(dialect: CsvDialect, platform: Pick<Platform, 'decodeUtf8'>) {
    this.#dialect = dialect
    this.#platform = platform
    for (const byte of [dialect.delimiter, LINE_FEED, CARRIAGE_RETURN]) this.#ends[byte] = 1
  }

  /**
   * Reads the cell at `position` of `[0, end)` and answers the index of what ends it: a delimiter, a record end, or `end`
   * itself where `isLast` says that nothing follows. CUT where that cannot be known yet. Throws `Suspicion`.
   */
  read(bytes: Uint8Array, position: number, end: number, isLast: boolean): number {
    let at = position
    while (at < end && isPadding(bytes[at], this.#dialect)) at++
    return at < end && bytes[at] === QUOTE ? this.#quoted(bytes, at + 1, end, isLast) : this.#unquoted(bytes, position, at, end, isLast)
  }

  #unquoted(bytes: Uint8Array, start: number, from: number, end: number, isLast: boolean): number {
    const ends = this.#ends
    let at = from
    while (at < end && ends[bytes[at]] === 0) at++
    if (at === end && !isLast) return CUT
    this.text = at === start ? '' : this.#decode(bytes, start, at)
    return at
  }

  #quoted(bytes: Uint8Array, start: number, end: number, isLast: boolean): number {
    let hasDoubled = false
    let close = start
    for (; close < end; close++) {
      if (bytes[close] !== QUOTE) continue
      if (close + 1 === end || bytes[close + 1] !== QUOTE) break
      hasDoubled = true
      close++
    }
    if (close >= end) return this.#openAtEnd(isLast)
    let at = close + 1
    while (at < end && isPadding(bytes[at], this.#dialect)) at++
    if (at === end && !isLast) return CUT
    if (at < end && this.#ends[bytes[at]] === 0) throw new Suspicion()
    const text = this.#decode(bytes, start, close)
    this.text = hasDoubled ? text.replaceAll('""', '"') : text
    return at
  }

  /** A quote never closed is a fault of the file; one not closed yet is none. */
  #openAtEnd(isLast: boolean): number {
    if (isLast) throw new Suspicion()
    return CUT
  }

  #decode(bytes: Uint8Array, start: number, end: number): string {
    const text = this.#platform.decodeUtf8(bytes, start, end)
    if (text.includes('\0') || text.includes(LOST_CHARACTER)) throw new Suspicion()
    return text
  }
}
