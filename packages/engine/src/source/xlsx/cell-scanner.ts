import type { ColumnCheck } from '#compile/column-check.ts'
import { type ByteAccept, NOT_SURE } from '#fast-path/fast-path.ts'
import * as byteNames from '#formats/byte-names.ts'
import { ascii, hasBytesAt } from '#formats/bytes.ts'
import { type CellTables, CellType } from '#formats/spreadsheet/cell-text.ts'
import type { SharedStrings } from '#formats/spreadsheet/read-shared-strings.ts'
import { NumberKind } from '#formats/spreadsheet/read-styles.ts'
import { type SheetCursor, SheetPlace, type SheetScanner } from '#formats/spreadsheet/sheet-reader.ts'
import { decodeXmlText } from '#formats/xml/xml-text.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import { AcceptedDays } from '#source/xlsx/accepted-days.ts'
import type { RowValidator } from '#source/xlsx/row-validator.ts'
import { isShortestNumber } from '#source/xlsx/shortest-number.ts'
import { MAX_INDEX_DIGITS, TagScanner } from '#source/xlsx/tag-scanner.ts'

const { GREATER_THAN, LESS_THAN, LOWER_C, LOWER_F, LOWER_I, LOWER_R, LOWER_V, SLASH, SPACE, ZERO } = byteNames

const LAST_DIGIT = 9

const INLINE_START = ascii('<is><t')
const INLINE_END = ascii('</t></is></c>')
/** The end of nearly every cell. */
const VALUE_END = ascii('</v></c>')

/** Instead of a `NumberKind`, and larger than each of them: the kind depends on the value. */
const BY_VALUE = 255

const ColumnKind = { Other: 0, Number: 1, Date: 2 } as const

/** A number that may count as blank is compared with texts as it is shown, and so as in other columns. */
function columnKind({ field, blankTexts }: ColumnCheck): number {
  return field?.rule.type === 'number' && blankTexts === undefined
    ? ColumnKind.Number
    : field?.rule.type === 'date'
      ? ColumnKind.Date
      : ColumnKind.Other
}

/**
 * The fast path over a worksheet as spreadsheet programs write it: `<row r>`, `<c r s t>`, `<v>`, `<is><t>`.
 * It passes bytes to the columns' checks and makes no strings. It stops in front of any other unit, and of a
 * unit that the end of the data cuts, and leaves it to the reader's tokens. So it reports a unit only when it
 * has seen its end.
 */
export class CellScanner implements SheetScanner {
  private readonly rows: RowValidator
  private readonly sharedStrings: SharedStrings
  private readonly platform: Platform
  private readonly maxCellLength: number
  private readonly maxColumns: number
  private readonly columns: readonly ColumnCheck[]
  private readonly accepts: readonly ByteAccept[]
  private readonly columnKinds: Uint8Array
  /** `NumberKind` of every cell format, or `BY_VALUE`. */
  private readonly numberKinds: Uint8Array
  private readonly acceptedDays: AcceptedDays
  private readonly tags = new TagScanner()
  private bytes: Uint8Array = new Uint8Array(0)
  /** The column of the cell that is being read. */
  private column = 0
  /** The last serial number that was read. */
  private serial = 0
  /** Whether rules may read the days. */
  private readonly hasRules: boolean

  constructor(parts: {
    columns: readonly ColumnCheck[]
    rows: RowValidator
    tables: CellTables
    platform: Platform
    limits: FileGuards
  }) {
    this.rows = parts.rows
    this.hasRules = parts.rows.rules !== null
    this.sharedStrings = parts.tables.sharedStrings
    this.platform = parts.platform
    this.maxCellLength = parts.limits.maxCellLength
    this.maxColumns = parts.limits.maxColumns
    this.columns = parts.columns
    this.accepts = parts.columns.map((column) => column.accept)
    this.columnKinds = Uint8Array.from(parts.columns, columnKind)
    this.numberKinds = Uint8Array.from(parts.tables.styles, (format) =>
      typeof format === 'function' ? BY_VALUE : format,
    )
    this.acceptedDays = new AcceptedDays(parts.columns.length, (column, serial) =>
      parts.rows.acceptsDay(column, serial),
    )
  }

  scan(sheet: SheetCursor): number {
    let at = sheet.position
    const { bytes, end } = sheet
    this.bytes = bytes
    this.tags.bytes = bytes
    for (;;) {
      while (bytes[at] <= SPACE && at < end) at++
      if (bytes[at] !== LESS_THAN) return at
      const second = bytes[at + 1]
      let next: number
      if (second === LOWER_C && sheet.place === SheetPlace.Cells) {
        next = this.cell(at, sheet)
        if (next >= 0) sheet.passCell(this.column)
      } else if (second === LOWER_R && sheet.place === SheetPlace.Rows) next = this.openRow(at, sheet)
      else if (second === SLASH && sheet.place === SheetPlace.Cells) next = this.closeRow(at, sheet)
      else return at
      if (next < 0) return at
      at = next
    }
  }

  private openRow(start: number, sheet: SheetCursor): number {
    const at = this.tags.row(start)
    if (at < 0 || this.tags.rowNumber === 0) return -1
    sheet.openRow(this.tags.rowNumber, start)
    if (this.tags.isEmpty) sheet.closeRow()
    return at
  }

  private closeRow(start: number, sheet: SheetCursor): number {
    const at = this.tags.rowEnd(start)
    if (at >= 0) sheet.closeRow()
    return at
  }

  private cell(start: number, sheet: SheetCursor): number {
    const { bytes, tags } = this
    let at = tags.cell(start, sheet.nextColumn, sheet.rowNumber)
    if (at < 0 || tags.column >= this.maxColumns) return -1
    this.column = tags.column
    if (!tags.isEmpty) {
      const isFormula = bytes[at] === LESS_THAN && bytes[at + 1] === LOWER_F
      if (isFormula) at = tags.formula(at)
      if (at < 0 || bytes[at] !== LESS_THAN) return -1
      switch (bytes[at + 1]) {
        case LOWER_V:
          if (isFormula && bytes[at + 3] === LESS_THAN) return -1
          return bytes[at + 2] === GREATER_THAN ? this.value(at + 3) : -1
        case LOWER_I:
          return this.inline(at)
        case SLASH:
          if (isFormula || bytes[at + 2] !== LOWER_C || bytes[at + 3] !== GREATER_THAN) return -1
          at += 4
          break
        default:
          return -1
      }
    }
    this.rows.blankCell(this.column)
    return at
  }

  private value(start: number): number {
    switch (this.tags.type) {
      case CellType.Shared:
        return this.sharedValue(start)
      case CellType.Number:
        return this.numberValue(start)
      case CellType.Text:
        return this.textValue(start, VALUE_END)
      default:
        return -1
    }
  }

  private sharedValue(start: number): number {
    const { bytes, column, sharedStrings } = this
    let at = start
    let index = 0
    for (let digit = bytes[at] - ZERO; digit >>> 0 <= LAST_DIGIT; digit = bytes[++at] - ZERO)
      index = index * 10 + digit
    if (at === start || at - start > MAX_INDEX_DIGITS || !closesValue(bytes, at)) return -1
    const offset = index < sharedStrings.count ? sharedStrings.offsets[index] : 0
    // A text that begins with '<' is blank, or resolved (see `SharedStrings`). An index that is not there
    // gets offset 0, where no text begins: the reference refuses it.
    const accepted =
      sharedStrings.bytes[offset] === LESS_THAN ? NOT_SURE : this.accept(sharedStrings.bytes, offset)
    if (accepted >= 0) this.rows.acceptCell(column, true)
    else this.checkSlowly(index, accepted)
    return at + VALUE_END.length
  }

  /**
   * A shared string that was not accepted: surely bad, or a case for the reference. Texts in the sheet itself
   * are never rejected here: few programs write them, and they would have to be decoded before the row is
   * known to count.
   */
  private checkSlowly(index: number, accepted: number): void {
    const { column, sharedStrings } = this
    const start = sharedStrings.offsets[index]
    const isEndKnown = accepted !== NOT_SURE && ~accepted - start <= this.maxCellLength
    const fault = isEndKnown ? this.columns[column].reject(sharedStrings.bytes, start, ~accepted) : null
    if (fault === null) this.rows.cell(column, CellType.Shared, 0, String(index))
    else this.rows.rejectShared(column, fault, index)
  }

  private numberValue(start: number): number {
    const { bytes, column } = this
    const end = this.acceptNumber(start)
    if (end >= 0 && closesValue(bytes, end)) {
      if (this.hasRules && this.isDay()) this.rows.acceptDay(column, this.serial)
      else this.rows.acceptCell(column, end > start)
      return end + VALUE_END.length
    }
    const at = bytes.indexOf(LESS_THAN, start)
    if (!hasBytesAt(bytes, at, VALUE_END)) return -1
    this.rows.cell(column, CellType.Number, this.tags.style, decodeXmlText(this.platform, bytes, start, at))
    return at + VALUE_END.length
  }

  /**
   * A number is checked as it is written where that is its text: always in a number column, where the
   * spelling does not matter, and in others where it is spelled the shortest way.
   */
  private acceptNumber(start: number): number {
    const { bytes, column } = this
    // Undefined, too, is plain: a format that is not there.
    if (this.numberKinds[this.tags.style] > NumberKind.Plain) return this.isDay() ? this.acceptDay(start) : -1
    if (this.columnKinds[column] !== ColumnKind.Number && !isShortestNumber(bytes, start)) return -1
    return this.accept(bytes, start)
  }

  /** Whether the cell is a date in a date column. */
  private isDay(): boolean {
    const { column, tags } = this
    return this.columnKinds[column] === ColumnKind.Date && this.numberKinds[tags.style] === NumberKind.Date
  }

  /** A whole serial number in a date column. */
  private acceptDay(start: number): number {
    const { bytes, column } = this
    let at = start
    let serial = 0
    for (let digit = bytes[at] - ZERO; digit >>> 0 <= LAST_DIGIT; digit = bytes[++at] - ZERO)
      serial = serial * 10 + digit
    this.serial = serial
    return at > start && bytes[at] === LESS_THAN && this.acceptedDays.has(column, serial) ? at : -1
  }

  private inline(start: number): number {
    const { bytes } = this
    if (this.tags.type !== CellType.Inline) return -1
    if (!hasBytesAt(bytes, start, INLINE_START)) return -1
    let at = start + INLINE_START.length
    if (bytes[at] === SPACE) at = this.tags.attribute(at)
    return at >= 0 && bytes[at] === GREATER_THAN ? this.textValue(at + 1, INLINE_END) : -1
  }

  private textValue(start: number, closing: Uint8Array): number {
    const { bytes, column } = this
    const end = this.accept(bytes, start)
    if (end >= 0 && hasBytesAt(bytes, end, closing)) {
      this.rows.acceptCell(column, end > start)
      return end + closing.length
    }
    const at = bytes.indexOf(LESS_THAN, start)
    if (!hasBytesAt(bytes, at, closing)) return -1
    this.rows.cell(column, this.tags.type, 0, decodeXmlText(this.platform, bytes, start, at))
    return at + closing.length
  }

  /**
   * What the column's check returns; also -1 for cells beyond the columns and for those that may be too long.
   */
  private accept(bytes: Uint8Array, start: number): number {
    const { column } = this
    if (column >= this.accepts.length) return -1
    const end = this.accepts[column](bytes, start)
    return end - start > this.maxCellLength ? -1 : end
  }
}

/** Whether `VALUE_END` is at `at`: the same as `hasBytesAt`, in half the time. */
const closesValue = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === LESS_THAN &&
  bytes[at + 1] === SLASH &&
  bytes[at + 2] === LOWER_V &&
  bytes[at + 3] === GREATER_THAN &&
  bytes[at + 4] === LESS_THAN &&
  bytes[at + 5] === SLASH &&
  bytes[at + 6] === LOWER_C &&
  bytes[at + 7] === GREATER_THAN
