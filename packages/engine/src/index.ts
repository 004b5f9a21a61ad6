/**
 * The entry point of the engine: bytes in, verdicts and error files out. It uses no file, clock, network or
 * database. What differs between Node and a browser is passed in as a `Platform`.
 */
import type { CheckedRuleBook } from '@veridict/contract/model/check-rule-book'
import type { Dictionary, Field } from '@veridict/contract/model/field'
import type { DictionaryRequest, ReadDictionary } from '#dictionary-file/read-dictionary.ts'
import type { ReadTableSchema } from '#dictionary-file/read-table-schema.ts'
import type { ProposalRequest, ProposalResult } from '#inference/propose-fields.ts'
import type { CorrectedFile, CorrectedFileRequest, CorrectionOutcome } from '#output/corrected-file.ts'
import type { CorrectionChoice } from '#output/corrected-structure.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import type { Platform } from '#platform.ts'
import { isCommonPattern } from '#rules/pattern.ts'

export { type ByteSource, bytesSource } from '#byte-source.ts'
export { compileColumns } from '#compile/compile-columns.ts'
export type { ColumnCheck } from '#compile/column-check.ts'
export { isUnsupportedKind } from '#formats/file-signature.ts'
export { checkTemplate } from '#dictionary-file/check-template.ts'
export { commandLineGuards, type FileGuards, portalGuards } from '#limits.ts'
export { type ReadTable, readTable } from '#source/open-table.ts'
export { patternsSize } from '#rules/pattern-size.ts'
export type { DatedRuleBook } from '#row-rules/compile-row-rules.ts'
export { openTable, type TableRequest } from '#source/open-table.ts'
export { FileProblemError } from '#formats/file-problem-error.ts'
export type { BadCell, ByteRange, FaultSink, RowView, SourceRow, TableSource } from '#source/table-source.ts'
export {
  type ValidatedRanges,
  validateRanges,
  type RangeWorkers,
  type TakeRange,
} from '#validate-in-ranges.ts'
export { type ValidationRequest, validateTable } from '#validate-table.ts'
export type {
  CorrectedFile,
  CorrectedFileRequest,
  CorrectionChoice,
  CorrectionOutcome,
  DictionaryRequest,
  ErrorFileRequest,
  Platform,
  ProposalRequest,
  ProposalResult,
  ReadDictionary,
  ReadTableSchema,
}
export { isCommonPattern }

// The writers, the dictionary's workbook and RE2 are loaded when they are called: a validation seldom needs
// them.

/** Why the engine cannot run a pattern, in words; null where it can. See `rules/re2.ts`. */
export async function checkPattern(pattern: string): Promise<string | null> {
  return isCommonPattern(pattern) ? null : (await import('#rules/re2.ts')).checkPattern(pattern)
}

/** Checks the rules between the cells of a dictionary as a whole. See `check-rule-book.ts`. */
export async function checkRuleBook(
  given: unknown,
  fields: readonly Field[],
  platform: Platform,
): Promise<CheckedRuleBook> {
  return (await import('#check-rule-book.ts')).checkRuleBook(given, fields, platform)
}

/**
 * The Errors workbook of a file, as bytes. Throws `FileProblemError` where the file cannot be read. See
 * `output/errors-file.ts`.
 */
export async function* writeErrorsFile(request: ErrorFileRequest): AsyncIterable<Uint8Array> {
  const writer = await import('#output/errors-file.ts')
  yield* writer.writeErrorsFile(request)
}

/**
 * The Highlighted workbook of a file, as bytes. Throws `FileProblemError` where the file cannot be read. See
 * `output/highlighted-file.ts`.
 */
export async function* writeHighlightedFile(request: ErrorFileRequest): AsyncIterable<Uint8Array> {
  const writer = await import('#output/highlighted-file.ts')
  yield* writer.writeHighlightedFile(request)
}

/**
 * A copy of a file in which the bad cells of some causes are replaced by their suggestions. See
 * `output/corrected-file.ts`.
 */
export async function correctFile(request: CorrectedFileRequest): Promise<CorrectedFile> {
  const writer = await import('#output/corrected-file.ts')
  return writer.correctFile(request)
}

/**
 * A dictionary's workbook → its fields and rules, or every problem in it. See
 * `dictionary-file/read-dictionary.ts`.
 */
export async function readDictionary(request: DictionaryRequest): Promise<ReadDictionary> {
  const reader = await import('#dictionary-file/read-dictionary.ts')
  return reader.readDictionary(request)
}

/** A sample of data → the fields that a dictionary for it would have. See `inference/propose-fields.ts`. */
export async function proposeFields(request: ProposalRequest): Promise<ProposalResult> {
  const inference = await import('#inference/propose-fields.ts')
  return inference.proposeFields(request)
}

/** A dictionary as a workbook, as bytes. See `dictionary-file/write-dictionary.ts`. */
export async function* writeDictionary(
  dictionary: Dictionary,
  platform: Platform,
): AsyncIterable<Uint8Array> {
  const writer = await import('#dictionary-file/write-dictionary.ts')
  yield* writer.writeDictionary(dictionary, platform)
}

/** The blank workbook of a dictionary, as bytes. See `dictionary-file/write-template.ts`. */
export async function* writeTemplate(dictionary: Dictionary, platform: Platform): AsyncIterable<Uint8Array> {
  const writer = await import('#dictionary-file/write-template.ts')
  yield* writer.writeTemplate(dictionary, platform)
}

/**
 * A Frictionless Table Schema → fields, rules and what they lose, or every problem in it. See
 * `dictionary-file/read-table-schema.ts`.
 */
export async function readTableSchema(json: string, platform: Platform): Promise<ReadTableSchema> {
  const reader = await import('#dictionary-file/read-table-schema.ts')
  return reader.readTableSchema(json, platform)
}

/** A dictionary as a Frictionless Table Schema, as JSON text. See `dictionary-file/write-table-schema.ts`. */
export async function writeTableSchema(dictionary: Dictionary): Promise<string> {
  const writer = await import('#dictionary-file/write-table-schema.ts')
  return writer.writeTableSchema(dictionary)
}
