import type { Field } from '@veridict/contract/model/field'
import { fileProblemText, type Verdict } from '@veridict/contract/model/verdict'
import { columnIndex } from '@veridict/contract/notation/column-letter'
import { portalGuards } from '@veridict/engine'
import { validateFile, writeErrorFile } from '@veridict/engine-node'
import { strFromU8, unzipSync } from 'fflate'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCells } from '../read-cells.ts'
import { type CorpusCase, fieldsOf, fileNameOf, trueCells } from './corpus-case.ts'

const SECOND = 1000
/** The time limit of a file, and of a hostile one. */
const TIME_LIMIT = 60 * SECOND
const HOSTILE_TIME_LIMIT = 10 * SECOND

/** How the result of a case differs from what it expects, in words; null if it does not. */
export async function checkCase(corpusCase: CorpusCase, folder: string): Promise<string | null> {
  const started = performance.now()
  try {
    const difference = await compare(corpusCase, folder)
    const limit = corpusCase.expect === 'refuse_or_survive' ? HOSTILE_TIME_LIMIT : TIME_LIMIT
    return difference ?? (performance.now() - started > limit ? `took more than ${limit / SECOND} s` : null)
  } catch (error) {
    return `threw ${error instanceof Error ? error.stack : String(error)}`
  }
}

async function compare(corpusCase: CorpusCase, folder: string): Promise<string | null> {
  if (corpusCase.kind === 'download') return compareDownload(corpusCase, folder)
  return corpusCase.kind === 'validate'
    ? compareVerdict(corpusCase, folder)
    : compareReading(corpusCase, folder)
}

async function compareReading(corpusCase: CorpusCase, folder: string): Promise<string | null> {
  const table = await readCells(join(folder, corpusCase.file), fileNameOf(corpusCase), portalGuards)
  switch (corpusCase.expect) {
    case 'survive':
    case 'refuse_or_survive':
      return null
    case 'refuse':
      return 'problem' in table && table.problem.errorType > 2 ? null : 'was read'
    default:
      if ('problem' in table)
        return corpusCase.expect === 'exactOrFail' ? null : `was refused: ${fileProblemText(table.problem)}`
      return compareTable(table.cells, corpusCase, folder)
  }
}

/** The cells must be equal, and the file must pass with its dictionary and the right number of records. */
async function compareTable(
  cells: string[][],
  corpusCase: CorpusCase,
  folder: string,
): Promise<string | null> {
  const truth = trueCells(corpusCase, folder)
  const difference = truth === null ? null : compareCells(cells, truth, corpusCase.expect === 'exactDisplay')
  if (difference !== null) return difference
  const fields = await fieldsOf(corpusCase, folder)
  if (fields === null) return null
  return comparePass(await validate(corpusCase, fields, folder), corpusCase)
}

async function compareVerdict(corpusCase: CorpusCase, folder: string): Promise<string | null> {
  const fields = await fieldsOf(corpusCase, folder)
  if (fields === null) return 'has no dictionary'
  const verdict = await validate(corpusCase, fields, folder)
  const isStructural = verdict.kind === 'fileProblem'
  switch (corpusCase.expect) {
    case 'pass':
      return comparePass(verdict, corpusCase)
    case 'fail':
      return verdict.kind === 'passed' ? 'passed' : null
    case 'rows':
      return compareRows(verdict, corpusCase)
    case 'rowsAtLeast':
      return isStructural ? null : compareRowsAtLeast(verdict, corpusCase)
    case 'passOrRows':
      return verdict.kind === 'passed' ? null : compareRows(verdict, corpusCase)
    case 'structure':
      return isStructural ? null : `is ${verdict.kind}`
    default:
      return null
  }
}

function comparePass(verdict: Verdict, { records }: CorpusCase): string | null {
  if (verdict.kind === 'fileProblem') return fileProblemText(verdict.problem)
  if (verdict.kind === 'rowErrors') return `rows ${flaggedRows(verdict).slice(0, 10).join(', ')} are flagged`
  return records === undefined || records === verdict.recordsCount
    ? null
    : `${verdict.recordsCount} records instead of ${records}`
}

function compareRows(
  verdict: Verdict,
  { badRows = [], badCells = [], free = [] }: CorpusCase,
): string | null {
  if (verdict.kind !== 'rowErrors')
    return `is ${verdict.kind === 'passed' ? 'passed' : fileProblemText(verdict.problem)}`
  const settled = (rows: readonly number[]) => rows.filter((row) => !free.includes(row)).join(', ')
  if (settled(flaggedRows(verdict)) !== settled(badRows))
    return `rows ${settled(flaggedRows(verdict))} instead of ${settled(badRows)}`
  const cells = new Set(
    verdict.rows.flatMap((row) =>
      row.columnValidationErrors.map(
        (error) => `${row.rowNumber - 1}:${columnIndex(error.columnPosition) + 1}`,
      ),
    ),
  )
  const missed = badCells.filter(([row, column]) => !cells.has(`${row}:${column}`))
  return missed.length === 0 ? null : `cells ${JSON.stringify(missed)} are not flagged`
}

/** Some sources count the header. */
function compareRowsAtLeast(verdict: Verdict, { badRows = [] }: CorpusCase): string | null {
  const flagged = flaggedRows(verdict)
  const isCovered = [0, 1, -1].some((shift) => badRows.every((row) => flagged.includes(row + shift)))
  return isCovered ? null : `rows ${flagged.join(', ')} do not cover ${badRows.join(', ')}`
}

/** Row 1 is the first data row. */
const flaggedRows = (verdict: Verdict): number[] =>
  verdict.kind === 'rowErrors' ? verdict.rows.map((row) => row.rowNumber - 1) : []

async function compareDownload(corpusCase: CorpusCase, folder: string): Promise<string | null> {
  const fields = (await fieldsOf(corpusCase, folder)) ?? []
  const output = mkdtempSync(join(tmpdir(), 'veridict-corpus-'))
  try {
    for (const kind of ['errors', 'highlighted'] as const) {
      const path = join(output, `${kind}.xlsx`)
      await writeErrorFile(kind, join(folder, corpusCase.file), fileNameOf(corpusCase), fields, path)
      const live = partsWithFormulas(path)
      if (live.length > 0) return `The ${kind} file has formulas in ${live.join(', ')}`
    }
    return null
  } finally {
    rmSync(output, { recursive: true })
  }
}

/** Names of the parts of a workbook that hold a formula; a written error file must have none. */
const partsWithFormulas = (path: string): string[] =>
  Object.entries(unzipSync(readFileSync(path)))
    .filter(([, xml]) => /<f[\s>/]/.test(strFromU8(xml)))
    .map(([name]) => name)

const validate = (corpusCase: CorpusCase, fields: readonly Field[], folder: string): Promise<Verdict> =>
  validateFile(join(folder, corpusCase.file), fileNameOf(corpusCase), fields, { maxErrorRows: Infinity })

/**
 * The first difference in words; null if there is none. All line breaks are equal; blank rows and blank cells
 * at the end of a row do not count. `display`: the truth is what a spreadsheet shows, so numbers and dates
 * are compared by value.
 */
function compareCells(
  found: readonly (readonly string[])[],
  truth: readonly (readonly string[])[],
  display: boolean,
): string | null {
  // Excel writes a CSV file from the first used column on.
  const rows = display ? withoutLeadingBlanks(normalized(found)) : normalized(found)
  const expected = normalized(truth)
  if (rows.length !== expected.length) return `${rows.length} rows instead of ${expected.length}`
  for (const [row, cells] of expected.entries()) {
    for (let column = 0; column < Math.max(cells.length, rows[row].length); column++) {
      const [value = '', trueValue = ''] = [rows[row][column], cells[column]]
      if (value !== trueValue && !(display && isShownAs(value, trueValue))) {
        const cell = `row ${row + 1}, column ${column + 1}`
        return `${cell} is ${JSON.stringify(value)} instead of ${JSON.stringify(trueValue)}`
      }
    }
  }
  return null
}

function normalized(rows: readonly (readonly string[])[]): string[][] {
  const texts = rows.map((cells) => cells.map((cell) => cell.replace(/\r\n?/g, '\n')))
  return texts.map(withoutTrailingBlanks).filter((cells) => cells.length > 0)
}

function withoutLeadingBlanks(rows: string[][]): string[][] {
  const blank = Math.min(...rows.map((cells) => cells.findIndex((cell) => cell.trim() !== '')))
  return rows.map((cells) => cells.slice(blank))
}

const withoutTrailingBlanks = (cells: string[]) =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)

function isShownAs(value: string, shown: string): boolean {
  if (value.trim() === shown.trim()) return true
  return isSameNumber(value, shown) || isSameDay(value, shown)
}

/** A spreadsheet shows rounded numbers, with currency, grouping, per cent, or an exponent. */
function isSameNumber(value: string, shown: string): boolean {
  const plain = shown.replace(/[\s$€£,_]/g, '').replace(/^\((.*)\)$/, '-$1')
  const scale = plain.endsWith('%') ? 100 : 1
  const shownNumber = Number(plain.replace('%', ''))
  if (value.trim() === '' || plain === '' || Number.isNaN(shownNumber)) return false
  const decimals = /\.(\d+)/.exec(plain)?.[1].length ?? 0
  const exponent = Number(/e([+-]?\d+)$/i.exec(plain)?.[1] ?? 0)
  return Math.abs(Number(value) * scale - shownNumber) <= 0.5000001 * 10 ** (exponent - decimals)
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Whether it is the same day, written month first, day first or year first. */
function isSameDay(value: string, shown: string): boolean {
  const day = /^(\d{4})-(\d\d)-(\d\d)/.exec(value)?.slice(1).map(Number)
  const parts = shown.match(/\d+/g)?.map(Number)
  if (day === undefined || parts === undefined) return false
  const [year, month, date] = day
  const hasPart = (number: number) =>
    parts.some((part) => part === number || (part < 100 && part === number % 100))
  return hasPart(year) && hasPart(date) && (hasPart(month) || shown.toLowerCase().includes(MONTHS[month - 1]))
}
