import * as byteNames from '#formats/byte-names.ts'
import { ascii, hasBytesAt } from '#formats/bytes.ts'
import { CellType } from '#formats/spreadsheet/cell-text.ts'

const {
  EQUALS,
  GREATER_THAN,
  LESS_THAN,
  LOWER_F,
  LOWER_N,
  LOWER_O,
  LOWER_R,
  LOWER_S,
  LOWER_T,
  LOWER_W,
  QUOTE,
  SLASH,
  SPACE,
  UPPER_A,
  UPPER_Z,
  ZERO,
} = byteNames

const LAST_DIGIT = 9

const FORMULA_TEXT = ascii('str"')
const INLINE_TEXT = ascii('inlineStr"')

/** With more digits an index could exceed 32 bits. */
export const MAX_INDEX_DIGITS = 9

/**
 * The tags of rows and cells as spreadsheet programs write them, read straight from the bytes. Every method
 * takes the position to read from and returns the position after what it read; -1 if the tag is written
 * in another way.
 */
export class TagScanner {
  bytes: Uint8Array = new Uint8Array(0)
  /** The number that the last row tag states; 0 if it states none. */
  rowNumber = 0
  /** Column and style of the last cell tag. */
  column = 0
  style = 0
  type: CellType = CellType.Number
  /** Whether the tag read last closes itself. */
  isEmpty = false

  /** `<row r="…" …>` */
  row(start: number): number {
    const { bytes } = this
    if (bytes[start + 2] !== LOWER_O || bytes[start + 3] !== LOWER_W) return -1
    let at = start + 4
    this.rowNumber = 0
    while (bytes[at] === SPACE) {
      const isNumber = bytes[at + 1] === LOWER_R && bytes[at + 2] === EQUALS && bytes[at + 3] === QUOTE
      at = isNumber ? this.readRowNumber(at + 4) : this.attribute(at)
      if (at < 0) return -1
    }
    return this.end(at)
  }

  private readRowNumber(from: number): number {
    const { bytes } = this
    let at = from
    let rowNumber = 0
    for (let digit = bytes[at] - ZERO; digit >>> 0 <= LAST_DIGIT; digit = bytes[++at] - ZERO)
      rowNumber = rowNumber * 10 + digit
    if (bytes[at] !== QUOTE || at - from > MAX_INDEX_DIGITS || bytes[from] === ZERO) return -1
    this.rowNumber = rowNumber
    return at + 1
  }

  /** `</row>` */
  rowEnd(at: number): number {
    const { bytes } = this
    return bytes[at + 2] === LOWER_R &&
      bytes[at + 3] === LOWER_O &&
      bytes[at + 4] === LOWER_W &&
      bytes[at + 5] === GREATER_THAN
      ? at + 6
      : -1
  }

  /** `<c r="…" s="…" t="…" …>`. Without `r` the cell is in `nextColumn`; with it, in `rowNumber`. */
  cell(start: number, nextColumn: number, rowNumber: number): number {
    const { bytes } = this
    let at = start + 2
    this.column = nextColumn
    this.style = 0
    this.type = CellType.Number
    while (bytes[at] === SPACE) {
      const name = bytes[at + 1]
      if (bytes[at + 2] !== EQUALS || bytes[at + 3] !== QUOTE) at = this.attribute(at)
      else if (name === LOWER_R) at = this.reference(at + 4, rowNumber)
      else if (name === LOWER_S) at = this.styleIndex(at + 4)
      else if (name === LOWER_T) at = this.typeName(at + 4)
      else at = this.attribute(at)
      if (at < 0) return -1
    }
    return this.end(at)
  }

  private reference(from: number, rowNumber: number): number {
    const { bytes } = this
    let at = from
    let column = 0
    for (let letter = bytes[at]; letter >= UPPER_A && letter <= UPPER_Z; letter = bytes[++at])
      column = column * 26 + letter - UPPER_A + 1
    let row = 0
    const digits = at
    for (let digit = bytes[at] - ZERO; digit >>> 0 <= LAST_DIGIT; digit = bytes[++at] - ZERO)
      row = row * 10 + digit
    if (
      column === 0 ||
      digits - from > 3 ||
      row !== rowNumber ||
      bytes[digits] === ZERO ||
      bytes[at] !== QUOTE
    )
      return -1
    this.column = column - 1
    return at + 1
  }

  private styleIndex(from: number): number {
    const { bytes } = this
    let at = from
    let style = 0
    for (let digit = bytes[at] - ZERO; digit >>> 0 <= LAST_DIGIT; digit = bytes[++at] - ZERO)
      style = style * 10 + digit
    if (bytes[at] !== QUOTE || at - from > MAX_INDEX_DIGITS) return -1
    this.style = style
    return at + 1
  }

  private typeName(from: number): number {
    const { bytes } = this
    if (bytes[from + 1] === QUOTE) {
      if (bytes[from] === LOWER_S) this.type = CellType.Shared
      else if (bytes[from] !== LOWER_N) return -1
      return from + 2
    }
    if (hasBytesAt(bytes, from, FORMULA_TEXT)) {
      this.type = CellType.Text
      return from + FORMULA_TEXT.length
    }
    if (hasBytesAt(bytes, from, INLINE_TEXT)) {
      this.type = CellType.Inline
      return from + INLINE_TEXT.length
    }
    return -1
  }

  /** Passes ` name="value"`. */
  attribute(from: number): number {
    const { bytes } = this
    let at = from + 1
    while (bytes[at] > SPACE && bytes[at] !== EQUALS && bytes[at] !== GREATER_THAN && bytes[at] !== LESS_THAN)
      at++
    if (bytes[at] !== EQUALS || bytes[at + 1] !== QUOTE) return -1
    at += 2
    while (bytes[at] !== QUOTE && bytes[at] !== LESS_THAN) at++
    return bytes[at] === QUOTE ? at + 1 : -1
  }

  /** Passes `<f …>…</f>` or `<f …/>`. */
  formula(from: number): number {
    const { bytes } = this
    let at = from + 2
    while (bytes[at] === SPACE) {
      at = this.attribute(at)
      if (at < 0) return -1
    }
    if (bytes[at] === SLASH) return bytes[at + 1] === GREATER_THAN ? at + 2 : -1
    if (bytes[at] !== GREATER_THAN) return -1
    while (bytes[at] !== LESS_THAN) at++
    return bytes[at + 1] === SLASH && bytes[at + 2] === LOWER_F && bytes[at + 3] === GREATER_THAN
      ? at + 4
      : -1
  }

  /** `>` or `/>` */
  private end(at: number): number {
    const { bytes } = this
    this.isEmpty = bytes[at] === SLASH
    const close = this.isEmpty ? at + 1 : at
    return bytes[close] === GREATER_THAN ? close + 1 : -1
  }
}
