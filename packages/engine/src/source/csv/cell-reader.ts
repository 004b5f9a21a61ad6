import { ByteKind, byteKinds, type ByteKinds, isSuspect, quotedKinds } from '#fast-path/byte-kinds.ts'
import type { Platform } from '#platform.ts'
import type { CellView } from '#source/table-source.ts'
import { type CsvDialect, isPadding } from '#formats/csv/csv-dialect.ts'
import { QUOTE } from '#formats/byte-names.ts'

/** Answer of `CellReader.read`: the cell goes on behind the bytes at hand. */
export const CUT = -1

/**
 * Thrown by the judge where a file breaks the grammar or a limit. It carries nothing: the reference reads the
 * file from its start and names the problem, so that its sentence and its line exist once.
 */
export class Bailout extends Error {}

/**
 * The judge's view of one cell that the fast path would not vouch for: finds its end, and its text when that
 * is asked for. The grammar is that of `RecordReader`. One object serves all cells, so that a bad cell
 * allocates nothing but its text; of a cell it keeps numbers only, since a new string in an old object is one
 * more thing for the collector to remember.
 */
export class CellReader implements CellView {
  /** What is read from: to be set before. */
  bytes: Uint8Array = new Uint8Array(0)
  /**
   * Of the cell read last: where its text lies, without the quotes around it, and whether quotes in it are
   * doubled.
   */
  from = 0
  to = 0
  hasEscapedQuotes = false
  readonly #dialect: CsvDialect
  readonly #platform: Pick<Platform, 'decodeUtf8'>
  readonly #kinds: ByteKinds

  constructor(dialect: CsvDialect, platform: Pick<Platform, 'decodeUtf8'>) {
    this.#dialect = dialect
    this.#platform = platform
    this.#kinds = byteKinds({ kind: 'csv', delimiter: dialect.delimiter })
  }

  /**
   * Reads the cell at `position` of `[0, end)` and answers the index of what ends it: a delimiter, a record
   * end, or `end` itself where `isLast` says that nothing follows. CUT where that cannot be known yet. Throws
   * `Bailout`.
   */
  read(position: number, end: number, isLast: boolean): number {
    const { bytes } = this
    let at = position
    while (at < end && isPadding(bytes[at], this.#dialect)) at++
    return at < end && bytes[at] === QUOTE
      ? this.#quoted(at + 1, end, isLast)
      : this.#unquoted(position, at, end, isLast)
  }

  /** The same for an unquoted cell whose end is known, and which surely holds text alone. */
  readUpTo(position: number, end: number): number {
    return this.#found(position, end, false, end)
  }

  /**
   * The text of the cell read last, or of the one named by `from`, `to` and `hasEscapedQuotes`: raw, quotes
   * resolved.
   */
  get value(): string {
    if (this.from === this.to) return ''
    const text = this.#platform.decodeUtf8(this.bytes, this.from, this.to)
    return this.hasEscapedQuotes ? text.replaceAll('""', '"') : text
  }

  #unquoted(start: number, from: number, end: number, isLast: boolean): number {
    const { bytes } = this
    const kinds = this.#kinds
    let at = from
    for (; at < end; at++) {
      const kind = kinds[bytes[at]]
      if (kind <= ByteKind.Character) continue
      if (kind === ByteKind.End) break
      refuseLost(bytes, at)
    }
    if (at === end && !isLast) return CUT
    return this.#found(start, at, false, at)
  }

  #quoted(start: number, end: number, isLast: boolean): number {
    const { bytes } = this
    let hasEscapedQuotes = false
    let close = start
    for (; close < end; close++) {
      const kind = quotedKinds[bytes[close]]
      if (kind <= ByteKind.Character) continue
      if (kind === ByteKind.End) {
        if (close + 1 === end || bytes[close + 1] !== QUOTE) break
        hasEscapedQuotes = true
        close++
      } else refuseLost(bytes, close)
    }
    if (close >= end) return this.#openAtEnd(isLast)
    let at = close + 1
    while (at < end && isPadding(bytes[at], this.#dialect)) at++
    if (at === end && !isLast) return CUT
    if (at < end && this.#kinds[bytes[at]] !== ByteKind.End) throw new Bailout()
    return this.#found(start, close, hasEscapedQuotes, at)
  }

  #found(from: number, to: number, hasEscapedQuotes: boolean, stop: number): number {
    this.from = from
    this.to = to
    this.hasEscapedQuotes = hasEscapedQuotes
    return stop
  }

  /** A quote never closed is a fault of the file; one not closed yet is none. */
  #openAtEnd(isLast: boolean): number {
    if (isLast) throw new Bailout()
    return CUT
  }
}

/** No cell may hold a NUL or a U+FFFD. */
function refuseLost(bytes: Uint8Array, at: number): void {
  if (bytes[at] === 0 || isSuspect(bytes, at)) throw new Bailout()
}
