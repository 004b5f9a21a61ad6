/**
 * The door of the engine: bytes in, verdicts and error files out. It touches no file, clock, network or database; what
 * differs between Node and a browser comes in as a `Platform`.
 */
import type { ErrorFileRequest } from '#output/error-file-request.ts'

export type { ByteSource } from '#byte-source.ts'
export { compileColumns } from '#compile/compile-columns.ts'
export type { ColumnCheck } from '#compile/cell-check.ts'
export { commandLineGuards, type FileGuards, portalGuards } from '#limits.ts'
export type { Platform } from '#platform.ts'
export { type ReadTable, readTable } from '#read-table.ts'
export { checkPattern } from '#rules/pattern.ts'
export { openTable, type TableRequest } from '#source/open-table.ts'
export { SourceProblem } from '#source/source-problem.ts'
export type { FaultSink, SourceRow, TableSource } from '#source/table-source.ts'
export { type ValidationRequest, validateTable } from '#validate-table.ts'
export type { ErrorFileRequest }

// The writers and the dictionary's workbook are loaded when they are called: judging a file never pays for them.

/** The Errors workbook of a file, as bytes. See `output/errors-file.ts`. */
export async function* writeErrorsFile(request: ErrorFileRequest): AsyncIterable<Uint8Array> {
  const writer = await import('#output/errors-file.ts')
  yield* writer.writeErrorsFile(request)
}

/** The Highlighted workbook of a file, as bytes. See `output/highlighted-file.ts`. */
export async function* writeHighlightedFile(request: ErrorFileRequest): AsyncIterable<Uint8Array> {
  const writer = await import('#output/highlighted-file.ts')
  yield* writer.writeHighlightedFile(request)
}
