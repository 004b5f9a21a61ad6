import type { ColumnCheck } from '#compile/column-check.ts'
import {
  ColumnKernel,
  type KernelColumn,
  type KernelExports,
  LISTED_WORDS,
  NO_CLASS,
} from '#fast-path/column-kernel.ts'
import { anyDay, NOT_SURE } from '#fast-path/fast-path.ts'
import { LESS_THAN } from '#formats/byte-names.ts'
import { CellType, cellTypeOf, type RawCell } from '#formats/spreadsheet/cell-text.ts'
import { NumberKind } from '#formats/spreadsheet/read-styles.ts'
import { dayZeroOf } from '#formats/spreadsheet/serial-date.ts'
import type { SheetCursor, SheetScanner } from '#formats/spreadsheet/sheet-reader.ts'
import { decodeXmlText } from '#formats/xml/xml-text.ts'
import type { Platform } from '#platform.ts'
import type { RuleExports } from '#row-rules/groupings.ts'
import type { UniqueKey } from '#row-rules/unique-keys.ts'
import { PlacedCell } from '#source/placed-cell.ts'
import type { RowCollector } from '#source/xlsx/row-collector.ts'
import type { RowValidator } from '#source/xlsx/row-validator.ts'

type Addresses = Readonly<
  Record<'cellMarkups' | 'cellValues' | 'columnTraits' | 'data' | 'doubtful' | 'rowNumbers', number> &
    Record<'rowStarts' | 'stringOffsets' | 'strings', number>
>
/** What `packages/engine/kernel/sheet.ts` exports. Addresses are in bytes. */
type SheetExports = KernelExports &
  Readonly<Record<'dayZero' | 'stopped' | 'unknownMarkup', WebAssembly.Global<'i32'>>> & {
    prepareSheet(rows: number, last: number, longest: number): void
    addMarkup(size: number, holds: Holds, formula: number): void
    checkRows(from: number, rowBefore: number): number
  }

/** Bytes of the sheet at a time: a chunk of Node's inflate (512 KiB), and what the last left unread. */
const CHUNK_BYTES = 768 * 1024
/** Few enough rows that what is known of them stays in the processor's caches. */
const MOST_ROWS = 1024

// What `columnTraits` states.
const NUMBERS_AS_WRITTEN = 1
const DAYS = 2
const ENTITIES = 4

const Holds = { Blank: 0, Shared: 1, Text: 2, Inline: 3, Number: 4, Day: 5, Other: 6 } as const
type Holds = (typeof Holds)[keyof typeof Holds]

/** What the bytes between a cell's reference and its value say. */
type Markup = { readonly holds: Holds; readonly type: CellType; readonly style: number }

/** No markup is longer, or in more ways. */
const MOST_MARKUP_BYTES = 64
const MOST_MARKUPS = 128
/** Of the number of a cell's markup. */
const DOUBTFUL = 0x80
const ATTRIBUTE = String.raw` [\w:]+="[\w:.-]*"`
const MARKUP = new RegExp(
  `^((?:${ATTRIBUTE})*)(/>|></c>|>(?:<f(?:${ATTRIBUTE})*/>)?<v>|><f>|><is><t(?:${ATTRIBUTE})?>)`,
)

/**
 * The kernel finds the rows as spreadsheet programs write them, and says which cells are surely valid. It
 * stops in front of any other row, and of one that the end of the data cuts, for the reader's tokens. New
 * markup is described to the kernel when it is met.
 */
export class RowScanner implements SheetScanner {
  /** The sheet must be read into it. */
  readonly bytes: Uint8Array
  readonly #rows: RowValidator
  readonly #platform: Platform
  readonly #mostRows: number
  readonly #kernel: ColumnKernel
  readonly #exports: SheetExports
  readonly #memory: Uint8Array
  readonly #words: Uint32Array
  /** Exports that stay as they are: to read the value of a global takes as long as ten cells. */
  readonly #at: Addresses
  /** By the number that the kernel gives it; 0 is an absent cell. */
  readonly #markups: (Markup | null)[] = [null]
  /** Gets all rows in place of the validator, once that has got them. */
  collector: RowCollector | null = null
  /** By column, then by class. */
  readonly #classes: (PlacedCell | undefined)[][]

  private constructor(rows: RowValidator, platform: Platform, kernel: ColumnKernel, mostRows: number) {
    this.bytes = kernel.bytes
    this.#rows = rows
    rows.scanner = this
    this.#platform = platform
    this.#mostRows = mostRows
    this.#classes = rows.columns.map(() => [])
    this.#kernel = kernel
    this.#exports = kernel.exports as SheetExports
    const globals = Object.entries(this.#exports as unknown as Record<string, WebAssembly.Global>)
    this.#at = Object.fromEntries(globals.map(([name, { value }]) => [name, value])) as Addresses
    this.#memory = new Uint8Array(kernel.exports.memory.buffer)
    this.#words = new Uint32Array(this.#memory.buffer)
    const traits = rows.columns.map((column) => traitsOf(column, rows))
    this.#memory.set(traits, this.#at.columnTraits)
  }

  /** null where the kernel cannot run. */
  static of(rows: RowValidator, platform: Platform): RowScanner | null {
    const { columns, limits, tables } = rows
    const { kernel: made, renew } = tables.sharedStrings
    if (made === null) return null
    const mostRows = Math.min(MOST_ROWS, Math.floor(CHUNK_BYTES / (columns.length + 1)))
    const settings = { chunk: CHUNK_BYTES, delimiter: 0, longestRecord: 0 }
    const prepare = (exports: KernelExports) => {
      const { dayZero, prepareSheet } = exports as SheetExports
      prepareSheet(mostRows, limits.maxRows, limits.maxCellLength)
      dayZero.value = dayZeroOf(tables.date1904)
      rows.rules?.filter.describe(exports as unknown as RuleExports)
    }
    const kernel = ColumnKernel.of(columns.map(kernelColumn), settings, prepare, made as KernelExports)
    renew()
    return kernel && new RowScanner(rows, platform, kernel, mostRows)
  }

  scan(sheet: SheetCursor): number {
    const { checkRows, stopped } = this.#exports
    const { data } = this.#at
    if (sheet.bytes !== this.bytes || this.#rows.isHeaderPending) return sheet.position
    let at = sheet.position
    for (;;) {
      const count = checkRows(data + at, sheet.rowNumber)
      at = stopped.value - data
      if (count > 0) at = this.#report(sheet, count, at)
      if (this.collector?.isFull === true) return at
      if (count < this.#mostRows && !this.#describeMarkup()) return at
    }
  }

  /** Returns `end`, or where the first row begins that is left because the collector is full. */
  #report(sheet: SheetCursor, count: number, end: number): number {
    if (this.collector === null && this.#rows.rules?.keys.needHashesAlone !== false)
      this.#reportListed(sheet, count)
    else
      for (let row = 0; row < count; row++) {
        if (this.collector?.isFull === true) return this.#startOf(row)
        this.#readRow(sheet, row)
      }
    sheet.endRow()
    return end
  }

  #reportListed(sheet: SheetCursor, count: number): void {
    const listed = this.#words.subarray(this.#at.doubtful >>> 2, this.#exports.doubtfulEnd.value >>> 2)
    const { rules } = this.#rows
    const collecting = rules?.keys.collecting ?? []
    let next = 0
    for (let index = 0; index < listed.length;) {
      const row = listed[index]
      const first = index + LISTED_WORDS
      index = first + LISTED_WORDS * listed[index + 3]
      this.#pass(sheet, next, row, collecting)
      if (rules === null) this.#checkListed(sheet, row, listed, first, index)
      else this.#readRow(sheet, row)
      next = row + 1
    }
    this.#pass(sheet, next, count, collecting)
  }

  #numberOf(row: number): number {
    return this.#words[(this.#at.rowNumbers >>> 2) + row]
  }

  #startOf(row: number): number {
    return this.#words[(this.#at.rowStarts >>> 2) + row] - this.#at.data
  }

  /** The rows `[from, to)` have no doubtful cell, and are not blank. */
  #pass(sheet: SheetCursor, from: number, to: number, collecting: readonly UniqueKey[]): void {
    if (from === to) return
    for (const key of collecting) key.collectRecords(this.#kernel, from, to)
    sheet.endRow()
    let first = from
    for (let row = from + 1; row <= to; row++) {
      if (row < to && this.#numberOf(row) - this.#numberOf(first) === row - first) continue
      this.#rows.passRows(this.#numberOf(first), row - first)
      first = row
    }
    sheet.rowNumber = this.#numberOf(to - 1)
  }

  #openRow(sheet: SheetCursor, row: number): void {
    sheet.openRow(this.#numberOf(row))
    this.#rows.scannedRow = row
  }

  /** See `RowValidator`; of a row whose reading has not ended. */
  cellOf(column: number, row: number): RawCell | null {
    const cell = column * this.#mostRows + row
    const markup = this.#markups[this.#memory[this.#at.cellMarkups + cell] & ~DOUBTFUL]
    return markup && { ...markup, raw: this.#rawOf(markup, this.#words[(this.#at.cellValues >>> 2) + cell]) }
  }

  #rawOf({ holds }: Markup, value: number): string {
    return holds === Holds.Shared ? String(value) : this.#text(value)
  }

  /** For rules or the collector: all cells. */
  #readRow(sheet: SheetCursor, row: number): void {
    this.#openRow(sheet, row)
    const rows = this.#rows
    for (let column = 0; column < rows.columns.length; column++) {
      const cell = column * this.#mostRows + row
      const id = this.#memory[this.#at.cellMarkups + cell]
      const markup = this.#markups[id & ~DOUBTFUL]
      if (markup === null || this.collector?.options.columns?.has(column) === false) continue
      const isSure = id < DOUBTFUL
      const value = this.#words[(this.#at.cellValues >>> 2) + cell]
      if (this.collector !== null) {
        this.collector.cell(column, markup.type, markup.style, this.#rawOf(markup, value))
        continue
      }
      // Only rules read a cell that is surely valid.
      if (isSure && rows.rules?.cells[column] === undefined) rows.passCell(column)
      else this.#readCell(column, markup, value, isSure)
    }
    sheet.closeRow()
  }

  /** The doubtful cells of a row, from `first` to `end` in `listed`; the others are surely valid. */
  #checkListed(sheet: SheetCursor, row: number, listed: Uint32Array, first: number, end: number): void {
    this.#openRow(sheet, row)
    const rows = this.#rows
    // How many cells are surely valid and not blank.
    rows.contentCells = listed[first - LISTED_WORDS + 1]
    for (let index = first; index < end; index += LISTED_WORDS) {
      const column = listed[index]
      const ofClass = listed[index + 3]
      const like = this.#classes[column][ofClass]
      rows.nextColumn = column
      if (like === undefined || like.memo === null) this.#checkCell(column, row, ofClass)
      else {
        like.at = listed[index + 1]
        rows.contentCells++
        rows.keep(like)
      }
    }
    rows.nextColumn = rows.width
    sheet.closeRow()
  }

  #checkCell(column: number, row: number, ofClass: number): void {
    const rows = this.#rows
    const place = column * this.#mostRows + row
    const markup = this.#markups[this.#memory[this.#at.cellMarkups + place] & ~DOUBTFUL]
    if (markup === null) return rows.keep(rows.blanks[column])
    this.#readCell(column, markup, this.#words[(this.#at.cellValues >>> 2) + place], false)
    const cell = rows.badCells.at(-1)
    const known = this.#classes[column]
    if (ofClass !== NO_CLASS && cell?.column === column)
      cell.like = known[ofClass] ??= new PlacedCell(column, cell.fault, (at) => this.#text(at))
  }

  /** `value`: where the value begins in memory, or which shared string it is. */
  #readCell(column: number, { holds, type, style }: Markup, value: number, isSure: boolean): void {
    const rows = this.#rows
    const isShared = holds === Holds.Shared
    const { strings, stringOffsets } = this.#at
    const start = isShared ? strings + this.#words[(stringOffsets >>> 2) + value] : value
    if (isSure && holds === Holds.Day) return rows.acceptDay(column, Number(this.#text(start)))
    // A text that begins with '<' is blank, or resolved (see `SharedStrings`).
    const isText = holds <= Holds.Inline && this.#memory[start] !== LESS_THAN
    const end = isText && !isSure ? rows.columns[column].accept(this.#memory, start) : NOT_SURE
    const isAccepted = end >= 0 && end - start <= rows.limits.maxCellLength
    // Rules show the value of a number, but a text as it is written.
    const isShown = isText && rows.rules?.cells[column]?.kind === 'number'
    if ((isSure || isAccepted) && !isShown) rows.acceptCell(column, this.#memory, start)
    else rows.cell(column, type, style, isShared ? String(value) : this.#text(start))
  }

  /** The text of a value in the sheet. */
  #text(start: number): string {
    return decodeXmlText(this.#platform, this.#memory, start, this.#memory.indexOf(LESS_THAN, start))
  }

  /** Describes the markup at which the kernel stopped. false if only tokens can read it. */
  #describeMarkup(): boolean {
    const at = this.#exports.unknownMarkup.value
    if (at === 0 || this.#markups.length === MOST_MARKUPS) return false
    const match = MARKUP.exec(this.#platform.decodeUtf8(this.#memory, at, at + MOST_MARKUP_BYTES))
    if (match === null) return false
    const [bytes, attributes, content] = match
    const valueOf = (name: string) => new RegExp(` ${name}="(.*?)"`).exec(attributes)?.[1]
    const type = cellTypeOf(valueOf('t') ?? null)
    const style = Number(valueOf('s') ?? 0)
    const holds = this.#holdsOf(type, style, content)
    if (holds === null) return false
    this.#exports.addMarkup(bytes.length, holds, content === '><f>' ? 2 : content.includes('<f') ? 1 : 0)
    this.#markups.push({ holds, type, style })
    return true
  }

  #holdsOf(type: CellType, style: number, content: string): Holds | null {
    if (content === '/>' || content === '></c>') return Holds.Blank
    if (content.startsWith('><is>')) return type === CellType.Inline ? Holds.Inline : null
    if (type === CellType.Shared) return Holds.Shared
    if (type === CellType.Text || type === CellType.Inline) return Holds.Text
    const format = type === CellType.Number ? (this.#rows.tables.styles[style] ?? NumberKind.Plain) : null
    if (format === NumberKind.Plain) return Holds.Number
    return format === NumberKind.Date ? Holds.Day : Holds.Other
  }
}

/** Where a column has no loop in the kernel, its cells are doubtful, but found. */
const kernelColumn = ({ describe = () => {}, check, blankTexts }: ColumnCheck): KernelColumn => ({
  describe,
  isRequired: check('') !== null,
  isClassed: blankTexts === undefined,
})

function traitsOf({ field, blankTexts, checkDay }: ColumnCheck, { rules }: RowValidator): number {
  const rule = field?.rule
  if (checkDay === anyDay) return DAYS
  // A number that may count as blank is compared with texts as it is shown, and so as in other columns.
  if (rule?.type === 'number') return blankTexts === undefined ? NUMBERS_AS_WRITTEN : 0
  // An entity only makes a text shorter. Rules read its bytes.
  return rule?.type === 'text' && rules === null && (rule.minLength ?? 0) <= 1 ? ENTITIES : 0
}
