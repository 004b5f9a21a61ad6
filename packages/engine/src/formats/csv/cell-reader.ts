import { ByteKind, byteKinds, type ByteKinds, isSuspect, quotedKinds } from '#formats/byte-kinds.ts'
import * as byteNames from '#formats/byte-names.ts'
import { type CsvDialect, isPadding } from '#formats/csv/csv-dialect.ts'
import type { Platform } from '#platform.ts'

const { CARRIAGE_RETURN, LINE_FEED, NUL, QUOTE } = byteNames

/** Result of `CellReader.read`: the cell goes on after the bytes at hand. */
export const CUT = -1

/** Thrown at a broken grammar or limit, without details: the reference reads again and reports the line. */
export class Bailout extends Error {}

/**
 * Finds the cells of a CSV text by the grammar of `RecordReader`. One object reads all cells and stores only
 * numbers: a new string in an old object costs the garbage collector time.
 */
export class CellReader {
  readonly #dialect: CsvDialect
  readonly #platform: Pick<Platform, 'decodeUtf8'>
  readonly #kinds: ByteKinds
  readonly #isStrict: boolean
  #bytes: Uint8Array = new Uint8Array(0)
  /** Of the last cell: where its text begins and ends, without the quotes around it. */
  from = 0
  to = 0
  isQuoted = false
  #hasEscapedQuotes = false
  /** How many cells `nextRecord` has read. */
  cells = 0

  /**
   * `brokenCells`: whether they throw `Bailout`, or are repaired: text after a closing quote is dropped, and
   * the end of the text closes an open quote.
   */
  constructor(
    dialect: CsvDialect,
    platform: Pick<Platform, 'decodeUtf8'>,
    brokenCells: 'bail' | 'pass' = 'bail',
  ) {
    this.#dialect = dialect
    this.#platform = platform
    this.#kinds = byteKinds({ kind: 'csv', delimiter: dialect.delimiter })
    this.#isStrict = brokenCells === 'bail'
  }

  use(bytes: Uint8Array): void {
    this.#bytes = bytes
  }

  /**
   * Returns the index of what ends the cell at `position`: a delimiter, a record end, or `end` where `isLast`
   * says that nothing follows. CUT if that is not known yet.
   */
  read(position: number, end: number, isLast: boolean): number {
    const bytes = this.#bytes
    let at = position
    while (at < end && isPadding(bytes[at], this.#dialect)) at++
    return at < end && bytes[at] === QUOTE
      ? this.#quoted(at + 1, end, isLast)
      : this.#unquoted(position, at, end, isLast)
  }

  /** Where the record after the one at `position` begins; CUT if that is not known yet. */
  nextRecord(position: number, end: number, isLast: boolean): number {
    const { delimiter } = this.#dialect
    let stop = this.read(position, end, isLast)
    for (this.cells = 1; stop !== CUT && stop < end && this.#bytes[stop] === delimiter; this.cells++)
      stop = this.read(stop + 1, end, isLast)
    return stop === CUT ? CUT : startOfNextRecord(this.#bytes, stop, end, isLast)
  }

  /** The text of the cell, quotes resolved, not trimmed. */
  get value(): string {
    if (this.from === this.to) return ''
    const text = this.#platform.decodeUtf8(this.#bytes, this.from, this.to)
    return this.#hasEscapedQuotes ? text.replaceAll('""', '"') : text
  }

  #unquoted(start: number, from: number, end: number, isLast: boolean): number {
    const bytes = this.#bytes
    const kinds = this.#kinds
    let at = from
    for (; at < end; at++) {
      const kind = kinds[bytes[at]]
      if (kind <= ByteKind.Character) continue
      if (kind === ByteKind.End) break
      this.#refuseLost(at)
    }
    if (at === end && !isLast) return CUT
    return this.#found(start, at, false, false, at)
  }

  #quoted(start: number, end: number, isLast: boolean): number {
    const bytes = this.#bytes
    let hasEscapedQuotes = false
    let close = start
    for (; close < end; close++) {
      const kind = quotedKinds[bytes[close]]
      if (kind <= ByteKind.Character) continue
      if (kind === ByteKind.End) {
        if (close + 1 === end || bytes[close + 1] !== QUOTE) break
        hasEscapedQuotes = true
        close++
      } else this.#refuseLost(close)
    }
    if (close >= end) {
      if (!isLast) return CUT
      if (this.#isStrict) throw new Bailout()
      return this.#found(start, end, true, hasEscapedQuotes, end)
    }
    let at = close + 1
    while (at < end && isPadding(bytes[at], this.#dialect)) at++
    if (at < end && this.#kinds[bytes[at]] !== ByteKind.End) {
      if (this.#isStrict) throw new Bailout()
      while (at < end && this.#kinds[bytes[at]] !== ByteKind.End) at++
    }
    if (at === end && !isLast) return CUT
    return this.#found(start, close, true, hasEscapedQuotes, at)
  }

  #found(from: number, to: number, isQuoted: boolean, hasEscapedQuotes: boolean, stop: number): number {
    this.from = from
    this.to = to
    this.isQuoted = isQuoted
    this.#hasEscapedQuotes = hasEscapedQuotes
    return stop
  }

  /** No cell may hold a NUL or a U+FFFD. */
  #refuseLost(at: number): void {
    const bytes = this.#bytes
    if (this.#isStrict && (bytes[at] === NUL || isSuspect(bytes, at))) throw new Bailout()
  }
}

/** Where the next record begins, given what ends this one: CR, LF, CRLF, or the end of the text. */
export function startOfNextRecord(bytes: Uint8Array, stop: number, end: number, isLast: boolean): number {
  const next = stop + 1
  if (bytes[stop] !== CARRIAGE_RETURN) return next
  if (next >= end) return isLast ? next : CUT
  return bytes[next] === LINE_FEED ? next + 1 : next
}
