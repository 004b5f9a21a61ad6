import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault } from '@veridict/contract/model/cell-error'
import { type DateFormat, parseDateFormat, writeDate } from '@veridict/contract/notation/date-format'
import { type ColumnCheck, keyColumnsOf, widthOf } from '#compile/column-check.ts'
import {
  type CellTables,
  CellType,
  type CellValue,
  numberText,
  type RawCell,
  readCell,
  timeText,
} from '#formats/spreadsheet/cell-text.ts'
import { LONG_TEXT } from '#formats/spreadsheet/read-shared-strings.ts'
import { readSerial, type SerialMoment } from '#formats/spreadsheet/serial-date.ts'
import { LESS_THAN } from '#formats/byte-names.ts'
import type { RowHandler } from '#formats/spreadsheet/sheet-reader.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import type { FileGuards } from '#limits.ts'
import { dayNumber } from '#calendar.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import type { RuleCell } from '#row-rules/rule-cell.ts'
import type { UnmetTest } from '#row-rules/unmet-test.ts'
import { PlacedCell } from '#source/placed-cell.ts'
import type { BadCell, FaultSink, RowView } from '#source/table-source.ts'

/** Rows that are still in memory. A blank cell is null. */
type ScannedRows = { cellOf(column: number, row: number): RawCell | null }

/** Validates cell by cell. Faults are kept until the row ends: it may be blank, its cells in any order. */
export class RowValidator implements RowHandler, RowView {
  readonly isFull = false
  /** How many columns are checked, from column A on; cells beyond them must be blank. */
  readonly width: number
  readonly columns: readonly ColumnCheck[]
  private readonly dateFormats: readonly (DateFormat | null)[]
  /** By column, the bad cell for a blank where a value is required; else null. */
  readonly blanks: readonly (BadCell | null)[]
  private readonly extra: CellFault
  readonly tables: CellTables
  private readonly sink: FaultSink
  readonly limits: FileGuards
  private rowNumber = 0
  /** All before it have come, or are blank. `RowScanner` sets it: it has only the doubtful cells of a row. */
  nextColumn = 0
  /** Cells of the row that are not blank; one that comes twice counts twice. */
  contentCells = 0
  /** Whether the header was not read yet. */
  isHeaderPending = true
  private isInOrder = true
  private hasExtra = false
  badCells: BadCell[] = []
  readonly rules: RowRules | null
  /** By column, the cell that rules read. */
  private readonly ruleCells: readonly (RuleCell | undefined)[]
  private readonly keyColumns: readonly number[]
  /** By column, the cells that identify a row that is read from tokens. */
  private readonly keyCells = new Map<number, RawCell>()
  /** Has those of the rows that it reads: of cells that are surely valid it makes no texts. */
  scanner: ScannedRows | null = null
  /** The row of the scanner that is being read, or NO_ROW. */
  scannedRow = NO_ROW
  /** By column, bad cells by text, or index of a shared string; null for a long one that is valid. */
  private readonly known: Map<string | number, BadCell | null>[] = []
  private knownLeft = MAX_KNOWN
  private readonly sharedText = (index: number): string => this.tables.sharedStrings.text(index)

  constructor(parts: {
    columns: readonly ColumnCheck[]
    tables: CellTables
    sink: FaultSink
    limits: FileGuards
    rules: RowRules | null
  }) {
    this.rules = parts.rules
    this.ruleCells = parts.rules?.cells ?? []
    this.columns = parts.columns
    this.width = parts.columns.length
    this.dateFormats = parts.columns.map(({ field }) =>
      field?.rule.type === 'date' ? parseDateFormat(field.rule.format) : null,
    )
    this.keyColumns = keyColumnsOf(parts.columns)
    this.blanks = parts.columns.map(({ check }, column) => {
      const fault = check('')
      return fault && { column, fault, value: '', like: undefined, memo: null }
    })
    this.extra = {
      code: 'extraCell',
      error: cellErrors.extraCell(widthOf(parts.columns)),
      expected: cellExpectations.noCell,
    }
    this.tables = parts.tables
    this.sink = parts.sink
    this.limits = parts.limits
  }

  startRow(rowNumber: number): void {
    this.rowNumber = rowNumber
    this.nextColumn = 0
    this.contentCells = 0
    this.isInOrder = true
    this.hasExtra = false
    this.scannedRow = NO_ROW
    if (this.keyColumns.length > 0) this.keyCells.clear()
    if (this.badCells.length > 0) this.badCells = []
    this.rules?.startRow()
  }

  /** So many rows whose cells are surely valid, one below the other, and none of them blank. */
  passRows(firstRow: number, count: number): void {
    this.sink.records(firstRow, count)
  }

  /** A cell that is surely valid. */
  passCell(column: number): void {
    this.moveTo(column)
    this.contentCells++
  }

  /** The same; its text begins at `start`. */
  acceptCell(column: number, bytes: Uint8Array, start: number): void {
    this.passCell(column)
    const cell = this.ruleCell(column)
    if (cell === undefined) return
    cell.see(bytes, start, bytes.indexOf(LESS_THAN, start))
    cell.keep()
  }

  /** Most dictionaries have no rules, and then all cells come this way. */
  private ruleCell(column: number): RuleCell | undefined {
    return this.rules === null ? undefined : this.ruleCells[column]
  }

  /** A whole serial number, of a day that the date column surely accepts. */
  acceptDay(column: number, serial: number): void {
    this.passCell(column)
    const cell = this.ruleCell(column)
    if (cell !== undefined) this.seeDay(cell, readSerial(serial, this.tables.date1904)!)
  }

  /** Applies the reference check to any cell. Throws `FileProblemError` if it is too long or damaged. */
  cell(column: number, type: CellType, style: number, raw: string): void {
    this.moveTo(column)
    if (this.scannedRow === NO_ROW && this.columns[column]?.field?.identifiesRow === true)
      this.keyCells.set(column, { type, style, raw })
    const index = type === CellType.Shared && raw.trim() !== '' ? Number(raw) : NO_INDEX
    const known = this.known[column]?.get(index)
    if (known !== undefined && (known !== null || this.ruleCell(column) === undefined)) {
      this.contentCells++
      this.keep(known)
      return
    }
    const value = readCell(type, style, raw, this.tables)
    if (value.text.length > this.limits.maxCellLength)
      throw workbookProblems.cellTooLong(this.rowNumber, this.limits.maxCellLength)
    const isBlank = isBlankText(value.text)
    if (!isBlank) this.contentCells++
    if (column < this.width) {
      this.ruleCell(column)?.seeText(value.text)
      this.checkCell(column, value, isBlank ? NO_INDEX : index)
    } else if (!isBlank && !this.hasExtra) {
      this.hasExtra = true
      this.keepFault(column, this.extra, value.text)
    }
  }

  endRow(): void {
    if (this.contentCells === 0) return
    if (this.isHeaderPending) {
      this.isHeaderPending = false
      return
    }
    if (this.nextColumn < this.width) this.moveTo(this.width)
    const { sink, rowNumber, rules } = this
    if (!this.isInOrder) this.badCells.sort((a, b) => a.column - b.column)
    const badCells = rules === null ? this.badCells : rules.ask(rowNumber, this.badCells)
    const unmet = rules?.unmet ?? NO_TESTS
    if (badCells.length > 0 || unmet.length > 0) sink.badCells(rowNumber, badCells, this, unmet)
    sink.records(rowNumber, 1)
  }

  /** Texts of the identifying cells of the row whose faults are being reported. */
  keyTexts(): readonly string[] {
    const { scanner, scannedRow, keyCells } = this
    return this.keyColumns.map((column) => {
      const cell = scannedRow === NO_ROW ? keyCells.get(column) : scanner!.cellOf(column, scannedRow)
      return cell ? this.textOf(column, readCell(cell.type, cell.style, cell.raw, this.tables)) : ''
    })
  }

  /** Whether the row whose faults are being reported has other cells that are not blank. */
  hasContentBeside(badCells: readonly Pick<BadCell, 'column' | 'value'>[]): boolean {
    return this.contentCells > badCells.filter(({ value }) => !isBlankText(value)).length
  }

  isTooLong(): boolean {
    return this.hasExtra
  }

  /** Skipped columns are blank. A column left of the last one comes a second time; its earlier fault goes. */
  private moveTo(column: number): void {
    const { nextColumn, blanks } = this
    for (let passed = nextColumn; passed < column && passed < this.width; passed++) {
      this.keep(blanks[passed])
    }
    if (column >= nextColumn) {
      this.nextColumn = column + 1
      return
    }
    this.isInOrder = false
    const earlier = this.badCells.findIndex((cell) => cell.column === column)
    if (earlier < 0) return
    this.badCells.splice(earlier, 1)
    if (column >= this.width) this.hasExtra = false
  }

  private checkCell(column: number, value: CellValue, index: number): void {
    if (value.kind === 'error' && value.text !== '' && !this.columns[column].blankTexts?.has(value.text)) {
      const { expected } = this.columns[column]
      this.keepFault(
        column,
        { code: 'errorCell', error: cellErrors.errorCell(value.text), expected },
        value.text,
      )
    } else if (value.kind === 'pending') {
      const { expected } = this.columns[column]
      this.keepFault(column, { code: 'errorCell', error: cellErrors.notCalculated, expected }, '')
    } else if (value.kind === 'moment' && this.dateFormats[column] !== null) {
      this.checkMoment(column, value.moment, this.dateFormats[column])
    } else if (value.kind === 'moment' && this.isNumber(column, value.number)) {
      const { expected } = this.columns[column]
      this.keepFault(column, { code: 'dateCell', error: cellErrors.dateCell, expected }, value.text)
    } else {
      this.keepFault(column, this.columns[column].check(value.text), value.text, index)
    }
  }

  /** Whether a column of numbers would accept a number, had its cell no date format. */
  private isNumber(column: number, number: number | undefined): boolean {
    const { field, check } = this.columns[column]
    return field?.rule.type === 'number' && number !== undefined && check(numberText(number)) === null
  }

  /** Checked as a day, however displayed; with a time, or for a day of no calendar, as the text shown. */
  private checkMoment(column: number, moment: SerialMoment, format: DateFormat): void {
    const { check, checkDay } = this.columns[column]
    const { year, month, day } = moment
    const text = shownMoment(moment, format)
    const isPlainDay = isDay(moment) && !isFalseLeapDay(moment)
    const cell = this.ruleCell(column)
    if (isPlainDay && cell !== undefined) this.seeDay(cell, moment)
    else cell?.seeText(text)
    this.keepFault(column, isPlainDay ? checkDay(year, month, day) : check(text), text)
  }

  private seeDay(cell: RuleCell, moment: SerialMoment): void {
    const { year, month, day } = moment
    cell.seeDay(dayNumber(year, month, day), shownMoment(moment, this.dateFormats[cell.column]!))
  }

  /** The text of any cell as a report shows it. */
  private textOf(column: number, value: CellValue): string {
    const format = this.dateFormats[column]
    return value.kind === 'moment' && format !== null ? shownMoment(value.moment, format) : value.text
  }

  /** `index` is that of a shared string which is not blank. */
  private keepFault(column: number, fault: CellFault | null, value: string, index = NO_INDEX): void {
    const isLong = value.length >= LONG_TEXT
    if (fault === null && (!isLong || index === NO_INDEX)) return
    const known = (this.known[column] ??= new Map())
    const key = index === NO_INDEX ? value : index
    let cell = known.get(key)
    if (cell === undefined || cell?.fault.code !== fault?.code) {
      if (fault === null) cell = null
      else if (index === NO_INDEX) cell = { column, fault, value, like: undefined, memo: null }
      else cell = new PlacedCell(column, fault, this.sharedText, index)
      const isKept = isLong ? index !== NO_INDEX && known.size < MAX_LONG : this.knownLeft-- > 0
      if (isKept) known.set(key, cell)
    }
    this.keep(cell)
  }

  /** Most bad rows have one bad cell: a first push would make room for 17. */
  keep(cell: BadCell | null): void {
    if (cell === null) return
    if (this.badCells.length === 0) this.badCells = [cell]
    else this.badCells.push(cell)
  }
}

/** Of long texts and other bad cells of a column: no real column has so many. */
const MAX_LONG = 1 << 16
const NO_INDEX = -1
const NO_ROW = -1
const NO_TESTS: readonly UnmetTest[] = []
/** Of bad cells that are not long: bad values repeat. */
const MAX_KNOWN = 1 << 13

/** Whether it has no time of day. */
const isDay = ({ day, seconds }: SerialMoment): boolean => day !== 0 && seconds === 0

/** The text of a true date in a date column: the day in the format of the field, and the time of day. */
function shownMoment(moment: SerialMoment, format: DateFormat): string {
  const { year, month, day, seconds } = moment
  const date = day === 0 ? '' : writeDate(format, year, month, day)
  return isDay(moment) ? date : `${date} ${timeText(seconds)}`.trim()
}

/** Serial 60 of the 1900 system, see `readSerial`. */
const isFalseLeapDay = ({ year, month, day }: SerialMoment): boolean =>
  year === 1900 && month === 2 && day === 29

/** Equals `text.trim() === ''`, without the copy of a long text. */
const isBlankText = (text: string): boolean => !/\S/.test(text)
