import { labelKey } from '@veridict/contract/notation/label'
import type { ByteSource } from '#byte-source.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { type KernelExports, makeKernel } from '#fast-path/column-kernel.ts'
import type { CellTables } from '#formats/spreadsheet/cell-text.ts'
import { streamPart } from '#formats/spreadsheet/read-part.ts'
import { readSharedStrings } from '#formats/spreadsheet/read-shared-strings.ts'
import { readStyles } from '#formats/spreadsheet/read-styles.ts'
import { readWorkbook, type SheetPart, type Workbook } from '#formats/spreadsheet/read-workbook.ts'
import { refuseDoctypes } from '#formats/spreadsheet/refuse-doctypes.ts'
import { type RowHandler, SheetReader } from '#formats/spreadsheet/sheet-reader.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { openArchive, type ZipArchive } from '#formats/zip/zip-archive.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import { EmptySheetError } from '#source/empty-sheet-error.ts'
import { findFirstColumn } from '#source/first-column.ts'
import {
  FIRST_RECORDS,
  type PacedSink,
  type RowOptions,
  type Sheets,
  type SourceRow,
  type TableSource,
} from '#source/table-source.ts'
import { RowCollector } from '#source/xlsx/row-collector.ts'
import { RowScanner } from '#source/xlsx/row-scanner.ts'
import { RowValidator } from '#source/xlsx/row-validator.ts'

/**
 * The first visible worksheet (.xlsx, transitional or strict), whose first row with content is the header;
 * row numbers are those shown. It is streamed: only the shared strings stay in memory. Throws
 * `FileProblemError` for a file that is damaged, encrypted, beyond `limits`, or without sheet or header.
 */
export async function openWorkbook(
  source: ByteSource,
  platform: Platform,
  limits: FileGuards,
): Promise<TableSource> {
  const archive = await openArchive(source, platform, limits)
  const book = await readWorkbook(archive)
  const read = [archive.directory.find(book.part), book.sheet.entry, book.sharedStrings, book.styles]
  await refuseDoctypes(archive, (entry) => read.includes(entry))
  const parts: SheetParts = { archive, book, tables: await readTables(archive, book), scanners: [] }
  const open = (sheet: SheetPart) => openSheet({ ...parts, book: { ...book, sheet } }, sheets)
  const sheets: Sheets = {
    read: book.sheet.name,
    others: book.otherSheets.map(({ name }) => name),
    async open(name) {
      const all = [...book.otherSheets, ...book.hiddenSheets]
      const part =
        all.find((one) => one.name === name) ?? all.find((one) => labelKey(one.name) === labelKey(name))
      return part?.entry === undefined ? null : open(part)
    },
  }
  const table = await open(book.sheet)
  if (table === null) throw new EmptySheetError(sheets)
  return table
}

type SheetParts = {
  archive: ZipArchive
  book: Workbook
  tables: CellTables
  /** Of the last validation of a sheet, unless rows are being read with it. */
  scanners: RowScanner[]
}

/** null if the sheet has no cells. */
async function openSheet(parts: SheetParts, sheets: Sheets): Promise<TableSource | null> {
  const heading = await readHeader(parts)
  if (heading === null) return null
  const { header, firstColumn, records } = heading
  return {
    terminators: xmlTerminators,
    header: header.cells,
    headerRowNumber: header.rowNumber,
    firstColumn,
    sheets,
    firstRecords: async () => records,
    rows: (options) => readRows(parts, options),
    validate: (columns, sink, rules) => validateSheet(parts, columns, sink, rules),
  }
}

/** Without a kernel sheets are read by tokens. That is slower, and defines what the kernel must find. */
export async function readTables(
  archive: ZipArchive,
  book: Workbook,
  kernel: KernelExports | null = makeKernel(),
): Promise<CellTables> {
  return {
    sharedStrings: await readSharedStrings(archive, book.sharedStrings, kernel),
    styles: await readStyles(archive, book.styles),
    date1904: book.date1904,
  }
}

/** Reports faults below the header. Throws `FileProblemError` for what cannot be read. */
export async function validateSheet(
  { archive, book, tables, scanners }: SheetParts,
  columns: readonly ColumnCheck[],
  sink: PacedSink,
  rules: RowRules | null = null,
): Promise<void> {
  const { platform, limits } = archive
  const rows = new RowValidator({ columns, tables, sink, limits, rules })
  const scanner = RowScanner.of(rows, platform)
  // All others had the same memory.
  scanners.length = 0
  for await (const _ of readSheet({ archive, book }, rows, scanner)) await sink.ready?.()
  if (scanner !== null) scanners.push(scanner)
}

async function* readRows(parts: SheetParts, options?: RowOptions): AsyncGenerator<readonly SourceRow[]> {
  let isHeaderPending = true
  // Others must not read into its memory meanwhile.
  const scanner = parts.scanners.pop() ?? null
  try {
    for await (const rows of collect(parts, options, scanner)) {
      const records = isHeaderPending ? rows.slice(1) : rows
      isHeaderPending = false
      if (records.length > 0) yield records
    }
  } finally {
    if (scanner !== null) parts.scanners.push(scanner)
  }
}

/** A problem below the header is left to those who read the rows, because one of the columns comes first. */
async function readHeader(
  parts: SheetParts,
): Promise<{ header: SourceRow; firstColumn: number; records: readonly SourceRow[] } | null> {
  const found: SourceRow[] = []
  try {
    for await (const rows of collect(parts, { cellsPerBatch: 1 })) {
      found.push(...rows)
      if (found.length > FIRST_RECORDS) break
    }
  } catch (error) {
    if (found.length === 0 || !(error instanceof FileProblemError)) throw error
  }
  if (found.length === 0) return null
  const [header, ...records] = found
  return { header, firstColumn: findFirstColumn(header.cells, () => records[0]?.cells), records }
}

/** Batches of rows with content; none of them is empty. */
async function* collect(
  parts: SheetParts,
  options?: RowOptions,
  scanner: RowScanner | null = null,
): AsyncGenerator<SourceRow[]> {
  const collector = new RowCollector(parts.tables, parts.archive.limits, options)
  if (scanner !== null) scanner.collector = collector
  for await (const _ of readSheet(parts, collector, scanner)) {
    const rows = collector.take()
    if (rows.length > 0) yield rows
  }
}

/** Reads the sheet to its end; yields after every chunk, and whenever the handler is full. */
export async function* readSheet(
  { archive, book }: Pick<SheetParts, 'archive' | 'book'>,
  handler: RowHandler,
  scanner: RowScanner | null = null,
): AsyncGenerator<void> {
  const { platform, limits } = archive
  const reader = new SheetReader({ platform, handler, limits, scanner })
  for await (const chunk of streamPart(archive, book.sheet.entry)) {
    reader.append(chunk)
    while (!reader.read()) yield
    yield
  }
  reader.close()
  while (!reader.read()) yield
  reader.checkWhole()
  yield
}
