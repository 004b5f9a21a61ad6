import { errorFileLimits } from '@veridict/contract/limits'
import { columnIndex } from '@veridict/contract/notation/column-letter'
import { unzipSync } from 'fflate'
import { readFileSync } from 'node:fs'
import { addPositions, type Counts, Findings } from '../findings.ts'
import type { DataFile } from '../generate/data-files.ts'
import type { Truth } from '../generate/rows.ts'
import type { ProgramEntry } from '../programs.ts'

/** How the result of a program differs from the truth, in words; null if it does not. */
export function checkResult(
  program: ProgramEntry,
  { truth, dictionary }: DataFile,
  printed: Counts | null,
  /** The workbook that it wrote, if it was to write one. */
  workbook: string | undefined,
): string | null {
  if (workbook === undefined) return printed && differences(printed, expected(truth, program))
  const red = countRedCells(workbook, dictionary.fields.length)
  return differences(red, truth) ?? missingNotes(countNotes(workbook), truth)
}

/** The truth without the faults for which a program has no rule. */
function expected(truth: Truth, { ignoresScale }: ProgramEntry): Counts {
  if (!ignoresScale) return truth
  const { rows, badCells, positions, tooPrecise } = truth
  return {
    rows,
    badCells: badCells - tooPrecise.badCells,
    positions: addPositions(positions, -tooPrecise.positions),
    perColumn: null,
  }
}

function missingNotes(found: number, { badCells }: Truth): string | null {
  const expectedNotes = Math.min(badCells, errorFileLimits.maxNotes)
  return found === expectedNotes ? null : `${found} notes instead of ${expectedNotes}`
}

function differences(found: Counts, truth: Counts): string | null {
  const names = ['rows', 'badCells', 'positions', 'perColumn'] as const
  const wrong = names.filter(
    (name) => found[name] !== null && truth[name] !== null && String(found[name]) !== String(truth[name]),
  )
  return wrong.length === 0
    ? null
    : wrong.map((name) => `${name} ${String(found[name])} instead of ${String(truth[name])}`).join(', ')
}

/** A cell of the first sheet of a written workbook, read without code of any compared program. */
type WrittenCell = { rowNumber: number; column: number; style: number }

/** The cells that a Highlighted workbook fills with red, and its rows. */
function countRedCells(path: string, columns: number): Counts {
  const findings = new Findings(columns)
  const isRed = redStyles(path)
  for (const { rowNumber, column, style } of writtenCells(path)) {
    findings.rows = Math.max(findings.rows, rowNumber - 1)
    if (rowNumber > 1 && isRed.has(style)) findings.badCell(rowNumber - 2, column, '')
  }
  return findings.counts()
}

/** Notes of the first sheet. */
function countNotes(path: string): number {
  const part = unzip(path)
  const comments = part('xl/comments1.xml') ?? part('xl/comments/comment1.xml')
  return comments?.toString('latin1').match(/<comment /g)?.length ?? 0
}

/** Cell formats whose fill is a solid colour with more red than green and blue. */
function redStyles(path: string): Set<number> {
  const styles = unzip(path)('xl/styles.xml')!.toString()
  const fills = [...section(styles, 'fills').matchAll(/<fill>.*?<\/fill>/gs)].map(([fill]) => isRedFill(fill))
  const formats = [...section(styles, 'cellXfs').matchAll(/<xf [^>]*>/g)]
  return new Set(
    formats.flatMap(([format], index) => (fills[Number(attribute(format, 'fillId') ?? 0)] ? [index] : [])),
  )
}

const section = (xml: string, name: string): string =>
  new RegExp(`<${name}[ >].*?</${name}>`, 's').exec(xml)?.[0] ?? ''

function isRedFill(fill: string): boolean {
  const color = /<fgColor rgb="..([0-9A-Fa-f]{6})"/.exec(fill)?.[1]
  if (!color || !fill.includes('solid')) return false
  const [red, green, blue] = [0, 2, 4].map((index) => Number.parseInt(color.slice(index, index + 2), 16))
  return red > green && red > blue
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]

function* writtenCells(path: string): Generator<WrittenCell> {
  const part = unzip(path)
  // latin1 keeps each byte as one character: faster than UTF-8, and only ASCII is needed.
  const sheet = part('xl/worksheets/sheet1.xml')!.toString('latin1')
  for (const [, tag] of sheet.matchAll(/<c( [^>]*?)\/?>/g)) {
    const [, letters, rowNumber] = / r="([A-Z]+)(\d+)"/.exec(tag)!
    yield {
      rowNumber: Number(rowNumber),
      column: columnIndex(letters),
      style: Number(/ s="(\d+)"/.exec(tag)?.[1] ?? 0),
    }
  }
}

/** Reads a part of a ZIP archive by name; null if the archive has none. */
function unzip(path: string): (name: string) => Buffer | null {
  const file = readFileSync(path)
  return (name) => {
    const part = unzipSync(file, { filter: (entry) => entry.name === name })[name]
    return part === undefined ? null : Buffer.from(part.buffer, part.byteOffset, part.length)
  }
}
