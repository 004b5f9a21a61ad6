import { columnLetter } from '@veridict/contract/notation/column-letter'
import { CellType, type RawCell } from '#formats/spreadsheet/cell-text.ts'
import { MAX_SHEET_NAME } from '#formats/spreadsheet/read-workbook.ts'
import { streamPart } from '#formats/spreadsheet/read-part.ts'
import type { RowHandler } from '#formats/spreadsheet/sheet-reader.ts'
import type { SheetColumn } from '#formats/spreadsheet/write-sheet.ts'
import { applyEdits, attributeEdit, attributeRemoval, type Edit, removal } from '#formats/xml/edit-xml.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { elementsNamed, openTags } from '#formats/xml/xml-elements.ts'
import { resolveCharacterEscapes } from '#formats/xml/xml-text.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import { partKey } from '#formats/zip/zip-directory.ts'
import type { CopiedParts } from '#output/copied-parts.ts'
import type { TableRequest } from '#source/open-table.ts'
import type { LeftOut } from '#output/left-out.ts'
import { WorkbookCopy } from '#output/workbook-copy.ts'
import type { Platform } from '#platform.ts'
import { cellsInCopy, isHeadingRow, type TableView } from '#source/table-view.ts'
import { readSheet } from '#source/xlsx/open-workbook.ts'

/** In characters. */
const DEFAULT_WIDTH = 9

/** Cells keep values and formats, columns their widths. The rest is left out: it refers to cells by place. */
export async function* restructureWorkbook(
  view: TableView,
  leftOut: LeftOut,
  request: Pick<TableRequest, 'source' | 'platform' | 'limits'>,
): AsyncGenerator<Uint8Array> {
  const { archive, plan, platform } = await WorkbookCopy.open(request)
  const { book, copied } = plan
  const copy = new WorkbookCopy(archive, { ...plan, copied: withoutLinks(copied, book.sheet.part) })
  leftOut.include(copied.leftOut)
  const bookPart = (await copy.whole(book.part))!
  copy.add(book.part, () => applyEdits(bookPart, nameRemovals(bookPart, platform), platform))
  const columns = columnsInCopy(await readColumns(archive, streamPart(archive, book.sheet.entry)), view)
  const writer = new RowWriter(view)
  async function* rows() {
    for await (const _ of readSheet({ archive, book }, writer)) yield writer.take()
    yield writer.newHeading(Infinity)
  }
  const sheet = { name: book.sheet.name, columns, rows: rows(), rowCount: () => writer.rowCount }
  copy.addSheet(book.sheet.part, () => sheet)
  yield* copy.write()
}

/** A copy of a workbook in which another sheet comes first, so that it is read. */
export async function* moveSheetFirst(
  name: string,
  leftOut: LeftOut,
  request: Pick<TableRequest, 'source' | 'platform' | 'limits'>,
): AsyncGenerator<Uint8Array> {
  const copy = await WorkbookCopy.open(request)
  const { platform } = copy
  const { book, copied } = copy.plan
  leftOut.include(copied.leftOut)
  const bytes = (await copy.whole(book.part))!
  copy.add(book.part, () => applyEdits(bytes, sheetFirst(name, bytes, platform), platform))
  yield* copy.write()
}

/** Names state sheets by their places, and are left out; views show the sheet that they showed. */
function sheetFirst(name: string, bytes: Uint8Array, platform: Platform): Edit[] {
  const tokens = new XmlTokens(platform, bytes)
  const sheets = Array.from(
    elementsNamed(new XmlTokens(platform, bytes), 'sheet'),
    ({ tag, start, end }) => ({ name: (tag.attribute('name') ?? '').slice(0, MAX_SHEET_NAME), start, end }),
  )
  const place = sheets.findIndex((sheet) => sheet.name === name)
  const { start, end } = sheets[place]
  const first = sheets[0].start
  const edits: Edit[] = [
    removal({ start, end }),
    { start: first, end: first, text: platform.decodeUtf8(bytes, start, end) },
    ...nameRemovals(bytes, platform),
  ]
  for (const _ of openTags(tokens)) {
    if (!tokens.nameIs('workbookView')) continue
    const shown = Number(tokens.attribute('activeTab') ?? 0)
    const moved = shown === place ? 0 : shown < place ? shown + 1 : shown
    edits.push(attributeEdit(tokens, 'activeTab', moved), ...attributeRemoval(tokens, 'firstSheet'))
  }
  return edits
}

const nameRemovals = (bytes: Uint8Array, platform: Platform): Edit[] =>
  [...elementsNamed(new XmlTokens(platform, bytes), 'definedNames')].map(removal)

/** The copied parts without those that only the data sheet has. */
function withoutLinks(copied: CopiedParts, sheetPart: string): CopiedParts {
  const parts = new Map(copied.parts)
  const sheet = parts.get(partKey(sheetPart))!
  parts.set(partKey(sheetPart), { ...sheet, links: [] })
  const linked = new Set(
    [...parts.values()].flatMap(({ links }) => links.map(({ target }) => partKey(target))),
  )
  for (const { target } of sheet.links) if (!linked.has(partKey(target))) parts.delete(partKey(target))
  return { ...copied, parts }
}

type ColumnRange = SheetColumn & { readonly min: number; readonly max: number }

/** Widths and formats of columns, which stand before the rows, in the first chunk of a sheet. */
async function readColumns(archive: ZipArchive, sheet: AsyncIterable<Uint8Array>): Promise<ColumnRange[]> {
  for await (const chunk of sheet)
    return Array.from(elementsNamed(new XmlTokens(archive.platform, chunk), 'col'), ({ tag }) => ({
      min: Number(tag.attribute('min')) - 1,
      max: Number(tag.attribute('max')) - 1,
      width: Number(tag.attribute('width') ?? DEFAULT_WIDTH),
      style: Number(tag.attribute('style') ?? 0),
    }))
  return []
}

const columnsInCopy = (ranges: readonly ColumnRange[], { columns, width }: TableView): SheetColumn[] =>
  (columns ?? [...Array(width).keys()]).map((source) => {
    const range = ranges.find(({ min, max }) => source !== null && source >= min && source <= max)
    return { width: range?.width ?? DEFAULT_WIDTH, style: range?.style ?? 0 }
  })

/** Writes the rows of a sheet as they are in the copy. */
class RowWriter implements RowHandler {
  readonly isFull = false
  rowCount = 0
  readonly #view: TableView
  readonly #dropped: readonly number[]
  /** How many of the dropped rows are before the open one. */
  #passed = 0
  #row = 0
  #cells: RawCell[] = []
  #text = ''
  #hasHeading: boolean

  constructor(view: TableView) {
    this.#view = view
    this.#dropped = [...view.droppedRows]
    this.#hasHeading = !view.heading.isNew
  }

  /** What was written since the last call. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  startRow(rowNumber: number): void {
    this.#row = rowNumber
    while (this.#dropped[this.#passed] < rowNumber) this.#passed++
    this.#cells = []
  }

  cell(column: number, type: CellType, style: number, raw: string): void {
    this.#cells[column] = { type, style, raw }
  }

  endRow(): void {
    const { droppedRows, heading } = this.#view
    if (droppedRows.has(this.#row)) return
    this.#text += this.newHeading(this.#row)
    const cells = cellsInCopy(this.#view, this.#row, Array.from(this.#cells), undefined)
    if (isHeadingRow(this.#view, this.#row))
      for (const [column, raw] of heading.texts)
        cells[column] = { type: CellType.Inline, style: cells[column]?.style ?? 0, raw }
    this.#text += this.#rowXml(this.#row - this.#passed + (heading.isNew ? 1 : 0), cells)
  }

  /** The new heading row, if it comes before a row of the source, and was not written yet. */
  newHeading(before: number): string {
    const { row, texts } = this.#view.heading
    if (this.#hasHeading || before < row) return ''
    this.#hasHeading = true
    const cells: RawCell[] = []
    for (const [column, raw] of texts) cells[column] = { type: CellType.Inline, style: 0, raw }
    return this.#rowXml(row, Array.from(cells))
  }

  #rowXml(row: number, cells: readonly (RawCell | undefined)[]): string {
    this.rowCount = row
    const tags = cells.map((cell, column) =>
      cell === undefined ? '' : cellXml(columnLetter(column) + row, cell),
    )
    return `<row r="${row}">${tags.join('')}</row>`
  }
}

/** A formula without a result gets the error #N/A: else the cell would be empty, and might be valid. */
function cellXml(reference: string, { type, style, raw }: RawCell): string {
  const tag = `<c r="${reference}" s="${style}"`
  if (type === CellType.Pending) return `${tag} t="e"><v>#N/A</v></c>`
  if (raw === '') return `${tag}/>`
  if (type !== CellType.Text && type !== CellType.Inline)
    return `${tag} t="${TYPE_NAMES[type]}"><v>${escapeXml(raw)}</v></c>`
  const text = escapeXml(resolveCharacterEscapes(raw))
  return `${tag} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
}

const TYPE_NAMES = {
  [CellType.Number]: 'n',
  [CellType.Shared]: 's',
  [CellType.Boolean]: 'b',
  [CellType.Error]: 'e',
  [CellType.Date]: 'd',
} as const
