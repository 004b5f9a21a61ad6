import { worksheetBounds } from '@veridict/contract/limits'
import { errorFileSheets, errorsHeadings, summaryHeadings } from '@veridict/contract/messages/error-files'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { textRow } from '#formats/spreadsheet/write-cells.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { writeWorkbook } from '#formats/spreadsheet/write-workbook.ts'
import { CellStyle, cellStyles, textColumns } from '#output/cell-styles.ts'
import { FaultFeed, type FaultyRow } from '#output/fault-feed.ts'
import type { CompiledDictionary } from '#row-rules/compile-row-rules.ts'
import { ErrorCounts } from '#rows/error-counts.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'

const ROW_WIDTH = 9
const KEY_WIDTH = 20
const ERROR_WIDTHS = [7, 28, 52, 32, 60]
const SUMMARY_COLUMNS = textColumns([7, 28, 52, 12])
/** The number of a sheet's other columns. A dictionary may have so many fields that identify the row. */
const MAX_KEY_COLUMNS = worksheetBounds.maxColumns - errorsHeadings.length
/** The places of the first sheets of errors and of the summary; further sheets of errors follow. */
const [ERRORS, SUMMARY, FURTHER_ERRORS] = [1, 2, 3]

/**
 * One row per bad cell, on as many sheets as it takes, and a sheet that counts the errors by column and kind.
 * Validates the file again while it writes, in bounded memory. The same file and fields give the same bytes.
 * Throws `FileProblemError` for a file that cannot be read. See docs/BEHAVIOUR.md#errors-file.
 */
export async function* writeErrorsFile(request: TableRequest): AsyncGenerator<Uint8Array> {
  const feeds: FaultFeed[] = []
  /** The rows with errors, or with warnings: each is a reading of the file. */
  const start = async (keeps: 'errors' | 'warnings'): Promise<Started> => {
    const feed = new FaultFeed({ keepsValues: true, keeps })
    feeds.push(feed)
    const table = await openTable({ ...request, source: feed.pace(request.source) })
    return { feed, compiled: await feed.validate(table, request) }
  }
  try {
    yield* writeWorkbook(
      { sheets: sheetsOf(await start('errors'), () => start('warnings')), styles: cellStyles },
      request.platform,
    )
  } finally {
    for (const feed of feeds) feed.abandon()
  }
}

type Started = { readonly feed: FaultFeed; readonly compiled: CompiledDictionary }

async function* sheetsOf(errors: Started, warnings: () => Promise<Started>): AsyncGenerator<NewSheet> {
  const counts = new ErrorCounts(errors.compiled.columns)
  const ofRules = new Map<number, RuleErrors>()
  const found = { feed: errors.feed, counts, ofRules }
  yield errorsSheet(errorFileSheets.errors, ERRORS, found)
  let position = FURTHER_ERRORS
  for (; (await errors.feed.peek()) !== null; position++)
    yield errorsSheet(errorFileSheets.furtherErrors(position - 1), position, found)
  yield summarySheet(counts, ofRules, errors.compiled)
  if (!errors.feed.hasWarnings) return
  const { feed } = await warnings()
  const warned = { feed, counts, ofRules }
  const hasErrors = ofRules.size > 0 || counts.groups().length > 0
  yield { ...errorsSheet(errorFileSheets.warnings, position, warned), opensFirst: !hasErrors }
  for (let number = 2; (await feed.peek()) !== null; number++)
    yield errorsSheet(errorFileSheets.furtherWarnings(number), ++position, warned)
}

/** Errors of a rule between cells, counted for the summary. */
type RuleErrors = { readonly column: number; count: number }

type Errors = { feed: FaultFeed; counts: ErrorCounts; ofRules: Map<number, RuleErrors> }

/** A row of the file is not split over sheets. Each field that identifies it has a column to filter by. */
function errorsSheet(name: string, position: number, errors: Errors): NewSheet {
  const { feed } = errors
  const keyLabels = feed.keyLabels.slice(0, MAX_KEY_COLUMNS)
  const [rowHeading, ...headings] = errorsHeadings
  let written = 1
  async function* errorRows() {
    yield textRow(1, CellStyle.Heading, [rowHeading, ...keyLabels, ...headings])
    for (let row = await feed.peek(); row !== null; row = await feed.peek()) {
      if (written + row.faults.length > worksheetBounds.maxRows) break
      yield rowsOf(row, written + 1, errors)
      written += row.faults.length
      feed.take()
    }
  }
  return {
    name,
    position,
    columns: textColumns([ROW_WIDTH, ...keyLabels.map(() => KEY_WIDTH), ...ERROR_WIDTHS]),
    hasFilter: true,
    rows: errorRows(),
    rowCount: () => written,
  }
}

/** The errors of one row of the file, from row `first` of the sheet on. */
function rowsOf({ rowNumber, key, faults }: FaultyRow, first: number, { counts, ofRules }: Errors): string {
  const place = [String(rowNumber), ...key.slice(0, MAX_KEY_COLUMNS).map(({ value }) => value)]
  let xml = ''
  for (const [index, { column, fault, value, rule }] of faults.entries()) {
    if (fault.code !== undefined) counts.counterOf(column, fault.code).count++
    else if (!rule!.isWarning) {
      const known = ofRules.get(rule!.index) ?? { column, count: 0 }
      known.count++
      ofRules.set(rule!.index, known)
    }
    const label = counts.label(column)
    const texts = [...place, columnLetter(column), label, fault.error, value, fault.expected]
    xml += textRow(first + index, CellStyle.Text, texts)
  }
  return xml
}

function summarySheet(
  counts: ErrorCounts,
  ofRules: ReadonlyMap<number, RuleErrors>,
  { rules }: CompiledDictionary,
): NewSheet {
  const groups = [
    ...counts.groups(),
    ...[...ofRules].map(([rule, { column, count }]) => ({
      columnPosition: columnLetter(column),
      label: counts.label(column),
      error: rules!.rules[rule].rule.description ?? rules!.rules[rule].rule.name,
      count,
    })),
  ].toSorted((one, other) => other.count - one.count)
  return {
    name: errorFileSheets.summary,
    position: SUMMARY,
    columns: SUMMARY_COLUMNS,
    hasFilter: true,
    rows: [
      textRow(1, CellStyle.Heading, summaryHeadings),
      ...groups.map(({ columnPosition, label, error, count }, index) =>
        textRow(index + 2, CellStyle.Text, [columnPosition, label, error, String(count)]),
      ),
    ],
    rowCount: () => groups.length + 1,
  }
}
