import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import type { Field } from '@veridict/contract/model/field'
import { ErrorType, type FileProblem, type Verdict } from '@veridict/contract/model/verdict'
import type { ByteSource } from '#byte-source.ts'
import type { Conclusion } from '#causes/conclusion.ts'
import { readCodePages } from '#causes/code-pages.ts'
import { findSecondHeadings } from '#causes/find-second-headings.ts'
import { readColumnSwaps } from '#causes/swapped-columns.ts'
import { readValidValues } from '#causes/valid-values.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { checkHeader } from '#header/check-header.ts'
import { explainHeader } from '#header/explain-header.ts'
import { fileStructure, type Structure } from '#header/header-structure.ts'
import { readOtherSheets } from '#header/other-sheets.ts'
import { portalGuards } from '#limits.ts'
import { compileDictionary } from '#row-rules/compile-row-rules.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import { readRowStructure } from '#row-structure.ts'
import { type ReportSettings, RowReports } from '#rows/row-reports.ts'
import { EmptySheetError } from '#source/empty-sheet-error.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import { NotUtf8Error } from '#formats/csv/text-bytes.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { type FilterThreads, nobody, type Sheets, type TableSource } from '#source/table-source.ts'

export type ValidationRequest = Omit<TableRequest, 'limits'> &
  ReportSettings & {
    /** `portalGuards` by default. */
    limits?: TableRequest['limits']
    /** `bytesRead` never decreases and never exceeds `size`, although some parts are read twice. */
    onProgress?: (bytesRead: number, size: number) => void
    /** Help with a CSV file without rules between cells. */
    threads?: FilterThreads
    /** The row that sentences of causes name instead of one of a copy. */
    rowInSource?: (row: number) => number
  }

/**
 * First the header, since row errors under a wrong header mean nothing, then every row. A faulty file gives a
 * verdict; an exception is a bug or a failure to read. See docs/BEHAVIOUR.md#error-types and
 * docs/BEHAVIOUR.md#reading-files.
 */
export const validateTable = async (request: ValidationRequest): Promise<Verdict> =>
  (await findCauses(request)).verdict

/** `conclusion` is null where the file has a problem as a whole, `structure` where it is right. */
export type FoundCauses = { verdict: Verdict; conclusion: Conclusion | null; structure: Structure | null }

/** Also the conclusions about every bad cell, for a second reading that changes cells (`diagnosedCells`). */
export async function findCauses(request: ValidationRequest): Promise<FoundCauses> {
  try {
    return await verdictOrThrow({
      ...request,
      source: withProgress(request.source, request.onProgress),
      limits: request.limits ?? portalGuards,
    })
  } catch (error) {
    if (error instanceof EmptySheetError) return ofSheet(error.problem, error.sheets, request.fields)
    if (error instanceof NotUtf8Error) return ofCodePage(error.problem, request)
    if (error instanceof FileProblemError) return ofFile(error.problem)
    throw error
  }
}

/** A text that is not UTF-8: which code pages it may have. */
async function ofCodePage(
  problem: FileProblem,
  { source, platform }: ValidationRequest,
): Promise<FoundCauses> {
  const pages = await readCodePages(source, platform)
  const choices = pages.map(({ name, examples }) => ({ value: name, label: `${name}: ${examples}` }))
  const structure = fileStructure('encoding', [], choices)
  return ofFile({ ...problem, causes: [...structure.causes] }, structure)
}

const ofFile = (
  problem: FileProblem,
  structure: Structure | null = null,
  labels?: string[],
): FoundCauses => ({
  verdict: { kind: 'fileProblem', problem, ...(labels !== undefined && { labels }) },
  conclusion: null,
  structure,
})

/** A problem of the sheet that was read: the rows may be on another one. */
async function ofSheet(
  problem: FileProblem,
  sheets: Sheets | undefined,
  fields: readonly Field[],
): Promise<FoundCauses> {
  const { hints, structure } = await readOtherSheets(sheets, fields)
  return ofFile({ ...problem, hints, causes: [...structure.causes] }, structure)
}

/** Throws `FileProblemError` for what is found while the file is read. */
async function verdictOrThrow(request: ValidationRequest & TableRequest): Promise<FoundCauses> {
  const { fields } = request
  if (fields.length === 0) {
    return ofFile({
      errorType: ErrorType.EmptyDictionary,
      message: fileProblemMessages.emptyDictionary,
      details: [],
    })
  }
  const table = await openTable(request)
  const problem = checkHeader(table, fields)
  if (problem !== null) {
    const explained = await explainHeader(problem, table, request)
    return ofFile(explained.problem, explained.structure, explained.labels)
  }
  const { columns, rules } = await compileDictionary(request, table)
  const reports = await validateRows(table, columns, rules, request)
  if (reports.recordsCount === 0) {
    const problem = { errorType: ErrorType.NoRows, message: fileProblemMessages.noRows, details: [] }
    return ofSheet(problem, table.sheets, fields)
  }
  const passed = reports.passed()
  if (passed !== null)
    return {
      verdict: passed,
      get conclusion() {
        return reports.conclude(new Map())
      },
      structure: null,
    }
  const valid = await readValidValues(table, columns, reports.questions())
  const swaps = await readColumnSwaps(table, columns, reports.swapCandidates(), reports.recordsCount)
  const conclusion = reports.conclude(valid, swaps, request.rowInSource)
  const verdict = reports.verdict(conclusion)
  const structure = await readRowStructure(request, table, columns, { conclusion, verdict })
  return { verdict, conclusion, structure }
}

async function validateRows(
  table: TableSource,
  columns: readonly ColumnCheck[],
  rules: RowRules | null,
  request: ValidationRequest,
): Promise<RowReports> {
  const { platform, threads } = request
  const headingEnd = await findSecondHeadings(table, columns)
  rules?.keys.start()
  for (;;) {
    const reports = new RowReports(columns, platform, request, headingEnd, rules)
    const sink = rules?.keys.mayEnd === false ? nobody : reports
    await table.validate(columns, sink, rules, threads)
    if (rules === null || rules.keys.endPass()) return reports
  }
}

function withProgress(source: ByteSource, onProgress: ValidationRequest['onProgress']): ByteSource {
  if (onProgress === undefined) return source
  let bytesRead = 0
  return {
    size: source.size,
    read: (into, position) => {
      onProgress(Math.min(bytesRead, source.size), source.size)
      bytesRead += into.length
      return source.read(into, position)
    },
  }
}
