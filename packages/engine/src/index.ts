/** Bytes in, verdicts and error files out: no file, clock, network or database. A `Platform` is passed in. */
import { isCommonPattern } from '#rules/pattern.ts'

export { type ByteSource, bytesSource } from '#byte-source.ts'
export { compileColumns } from '#compile/compile-columns.ts'
export { isUnsupportedKind } from '#formats/file-signature.ts'
export { checkTemplate } from '#dictionary-file/check-template.ts'
export { commandLineGuards, type FileGuards, portalGuards } from '#limits.ts'
export { patternsSize } from '#rules/pattern-size.ts'
export type { DatedRuleBook } from '#row-rules/compile-row-rules.ts'
export { openTable, readTable, type TableRequest } from '#source/open-table.ts'
export { FileProblemError } from '#formats/file-problem-error.ts'
export type {
  BadCell,
  FaultSink,
  FilteredRange,
  FilterTask,
  FilterThreads,
  SourceRow,
} from '#source/table-source.ts'
export { type ValidationRequest, validateTable } from '#validate-table.ts'
export type { ProposalResult } from '#inference/propose-fields.ts'
export type { CorrectedFile, CorrectionOutcome } from '#output/corrected-file.ts'
export type { CorrectionChoice } from '#output/corrected-structure.ts'
export type { Platform } from '#platform.ts'
export { isCommonPattern }

// The writers, the dictionary's workbook and RE2 are loaded when they are called: a validation seldom needs
// them.

/** A function of a module that is loaded when the function is called. */
const later =
  <Given extends unknown[], Result>(load: () => Promise<(...given: Given) => Result>) =>
  async (...given: Given): Promise<Awaited<Result>> =>
    await (
      await load()
    )(...given)

/** The same of a function that writes a file. */
const laterFile = <Given extends unknown[]>(
  load: () => Promise<(...given: Given) => AsyncIterable<Uint8Array>>,
) =>
  async function* (...given: Given): AsyncIterable<Uint8Array> {
    yield* (await load())(...given)
  }

/** Why the engine cannot run a pattern, in words; null where it can. See `rules/re2.ts`. */
export async function checkPattern(pattern: string): Promise<string | null> {
  return isCommonPattern(pattern) ? null : (await import('#rules/re2.ts')).checkPattern(pattern)
}

export const checkRuleBook = later(async () => (await import('#check-rule-book.ts')).checkRuleBook)

/** The Errors workbook of a file, as bytes. Throws `FileProblemError` where the file cannot be read. */
export const writeErrorsFile = laterFile(async () => (await import('#output/errors-file.ts')).writeErrorsFile)

/** The Highlighted workbook of a file, as bytes. Throws `FileProblemError` where the file cannot be read. */
export const writeHighlightedFile = laterFile(
  async () => (await import('#output/highlighted-file.ts')).writeHighlightedFile,
)

/** A copy of a file in which the bad cells of some causes are replaced by their suggestions. */
export const correctFile = later(async () => (await import('#output/corrected-file.ts')).correctFile)

/** A dictionary's workbook → its fields and rules, or every problem in it. */
export const readDictionary = later(
  async () => (await import('#dictionary-file/read-dictionary.ts')).readDictionary,
)

/** A sample of data → the fields that a dictionary for it would have. */
export const proposeFields = later(async () => (await import('#inference/propose-fields.ts')).proposeFields)

export const writeDictionary = laterFile(
  async () => (await import('#dictionary-file/write-dictionary.ts')).writeDictionary,
)

export const writeTemplate = laterFile(
  async () => (await import('#dictionary-file/write-template.ts')).writeTemplate,
)

/** A Frictionless Table Schema → fields, rules and what they lose, or every problem in it. */
export const readTableSchema = later(
  async () => (await import('#dictionary-file/read-table-schema.ts')).readTableSchema,
)

export const writeTableSchema = later(
  async () => (await import('#dictionary-file/write-table-schema.ts')).writeTableSchema,
)
