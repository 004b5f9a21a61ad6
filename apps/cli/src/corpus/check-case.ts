import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Field } from '@veridict/contract/model/field'
import { type FileProblem, fileProblemText, type Verdict } from '@veridict/contract/model/verdict'
import { columnIndex } from '@veridict/contract/notation/column-letter'
import { portalGuards, readTable, FileProblemError } from '@veridict/engine'
import {
  nodePlatform,
  openFileSource,
  validateFile,
  writeErrorsFile,
  writeHighlightedFile,
} from '@veridict/engine-node'
import { compareCells } from '#corpus/compare-cells.ts'
import { type CorpusCase, fieldsOf, fileNameOf, trueCells } from '#corpus/corpus-case.ts'
import { partsWithFormulas } from '#corpus/parts-with-formulas.ts'

const SECOND = 1000
/** How long a file may take that must only be survived, and a hostile one. */
const SURVIVAL = 60 * SECOND
const HOSTILE_SURVIVAL = 10 * SECOND

/** What a case shows otherwise than it expects, in words; null where all is well. */
export async function checkCase(corpusCase: CorpusCase, folder: string): Promise<string | null> {
  const started = performance.now()
  try {
    const failure = await judge(corpusCase, folder)
    const limit = corpusCase.expect === 'refuse_or_survive' ? HOSTILE_SURVIVAL : SURVIVAL
    return failure ?? (performance.now() - started > limit ? `took more than ${limit / SECOND} s` : null)
  } catch (error) {
    return `threw ${error instanceof Error ? error.stack : String(error)}`
  }
}

async function judge(corpusCase: CorpusCase, folder: string): Promise<string | null> {
  if (corpusCase.kind === 'download') return judgeDownload(corpusCase, folder)
  return corpusCase.kind === 'validate' ? judgeVerdict(corpusCase, folder) : judgeReading(corpusCase, folder)
}

async function judgeReading(corpusCase: CorpusCase, folder: string): Promise<string | null> {
  const table = await readAll(corpusCase, folder)
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

/**
 * Besides equal cells: judged by a dictionary that asks for nothing, or by its own, it passes with the right
 * count.
 */
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
  return wantPass(await validate(corpusCase, fields, folder), corpusCase)
}

async function judgeVerdict(corpusCase: CorpusCase, folder: string): Promise<string | null> {
  const fields = await fieldsOf(corpusCase, folder)
  if (fields === null) return 'has no dictionary'
  const verdict = await validate(corpusCase, fields, folder)
  const isStructural = verdict.kind === 'fileProblem'
  switch (corpusCase.expect) {
    case 'pass':
      return wantPass(verdict, corpusCase)
    case 'fail':
      return verdict.kind === 'passed' ? 'passed' : null
    case 'rows':
      return wantRows(verdict, corpusCase)
    case 'rowsAtLeast':
      return isStructural ? null : wantRowsAtLeast(verdict, corpusCase)
    case 'passOrRows':
      return verdict.kind === 'passed' ? null : wantRows(verdict, corpusCase)
    case 'structure':
      return isStructural ? null : `is ${verdict.kind}`
    default:
      return null
  }
}

function wantPass(verdict: Verdict, { records }: CorpusCase): string | null {
  if (verdict.kind === 'fileProblem') return fileProblemText(verdict.problem)
  if (verdict.kind === 'rowErrors') return `rows ${flaggedRows(verdict).slice(0, 10).join(', ')} are flagged`
  return records === undefined || records === verdict.recordsCount
    ? null
    : `${verdict.recordsCount} records instead of ${records}`
}

function wantRows(verdict: Verdict, { badRows = [], badCells = [], free = [] }: CorpusCase): string | null {
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

/** Some origins count the header. */
function wantRowsAtLeast(verdict: Verdict, { badRows = [] }: CorpusCase): string | null {
  const flagged = flaggedRows(verdict)
  const isCovered = [0, 1, -1].some((shift) => badRows.every((row) => flagged.includes(row + shift)))
  return isCovered ? null : `rows ${flagged.join(', ')} do not cover ${badRows.join(', ')}`
}

/** Counted from 1 at the first data row. */
const flaggedRows = (verdict: Verdict): number[] =>
  verdict.kind === 'rowErrors' ? verdict.rows.map((row) => row.rowNumber - 1) : []

async function judgeDownload(corpusCase: CorpusCase, folder: string): Promise<string | null> {
  const fields = (await fieldsOf(corpusCase, folder)) ?? []
  const output = mkdtempSync(join(tmpdir(), 'veridict-corpus-'))
  try {
    for (const write of [writeErrorsFile, writeHighlightedFile]) {
      const path = join(output, `${write.name}.xlsx`)
      await write(join(folder, corpusCase.file), fileNameOf(corpusCase), fields, path)
      const live = partsWithFormulas(path)
      if (live.length > 0) return `${write.name} left formulas in ${live.join(', ')}`
    }
    return null
  } finally {
    rmSync(output, { recursive: true })
  }
}

const validate = (corpusCase: CorpusCase, fields: readonly Field[], folder: string): Promise<Verdict> =>
  validateFile(join(folder, corpusCase.file), fileNameOf(corpusCase), fields, { maxErrorRows: Infinity })

async function readAll(
  corpusCase: CorpusCase,
  folder: string,
): Promise<{ cells: string[][] } | { problem: FileProblem }> {
  const source = openFileSource(join(folder, corpusCase.file))
  try {
    const request = {
      source,
      fileName: fileNameOf(corpusCase),
      fields: [],
      platform: nodePlatform(),
      limits: portalGuards,
    }
    const table = await readTable(request)
    if (table.kind === 'fileProblem') return { problem: table.problem }
    const cells = [[...table.header]]
    for await (const batch of table.rows) cells.push(...batch.map((row) => [...row.cells]))
    return { cells }
  } catch (error) {
    if (error instanceof FileProblemError) return { problem: error.problem }
    throw error
  } finally {
    source.close()
  }
}
