import { ByteKind, byteKinds, type ByteKinds, isSuspect, quotedKinds } from '#compile/byte-kinds.ts'
import type { Platform } from '#platform.ts'
import { type CsvDialect, isPadding, QUOTE } from '#source/csv/csv-dialect.ts'

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
  readonly #kinds: ByteKinds

  constructor(dialect: CsvDialect, platform: Pick<Platform, 'decodeUtf8'>) {
    this.#dialect = dialect
    this.#platform = platform
    this.#kinds = byteKinds({ kind: 'csv', delimiter: dialect.delimiter })
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

  /** The same for an unquoted cell whose end is known, and which surely holds text alone. */
  readUpTo(bytes: Uint8Array, position: number, end: number): number {
    this.text = this.#platform.decodeUtf8(bytes, position, end)
    return end
  }

  #unquoted(bytes: Uint8Array, start: number, from: number, end: number, isLast: boolean): number {
    const kinds = this.#kinds
    let at = from
    for (; at < end; at++) {
      const kind = kinds[bytes[at]]
      if (kind <= ByteKind.Character) continue
      if (kind === ByteKind.End) break
      refuseLost(bytes, at)
    }
    if (at === end && !isLast) return CUT
    this.text = at === start ? '' : this.#platform.decodeUtf8(bytes, start, at)
    return at
  }

  #quoted(bytes: Uint8Array, start: number, end: number, isLast: boolean): number {
    let hasDoubled = false
    let close = start
    for (; close < end; close++) {
      const kind = quotedKinds[bytes[close]]
      if (kind <= ByteKind.Character) continue
      if (kind === ByteKind.End) {
        if (close + 1 === end || bytes[close + 1] !== QUOTE) break
        hasDoubled = true
        close++
      } else refuseLost(bytes, close)
    }
    if (close >= end) return this.#openAtEnd(isLast)
    let at = close + 1
    while (at < end && isPadding(bytes[at], this.#dialect)) at++
    if (at === end && !isLast) return CUT
    if (at < end && this.#kinds[bytes[at]] !== ByteKind.End) throw new Suspicion()
    const text = this.#platform.decodeUtf8(bytes, start, close)
    this.text = hasDoubled ? text.replaceAll('""', '"') : text
    return at
  }

  /** A quote never closed is a fault of the file; one not closed yet is none. */
  #openAtEnd(isLast: boolean): number {
    if (isLast) throw new Suspicion()
    return CUT
  }
}

/** No cell may hold a NUL or a U+FFFD. */
function refuseLost(bytes: Uint8Array, at: number): void {
  if (bytes[at] === 0 || isSuspect(bytes, at)) throw new Suspicion()
}
