import type { Dictionary, Field } from '@veridict/contract/model/field'
import type { Proposal } from '@veridict/contract/model/proposal'
import type { FileProblem, Verdict } from '@veridict/contract/model/verdict'
import type { ReadDictionary, ReadTableSchema } from '@veridict/engine'
import type { PackedReports } from '#db/pack-reports.ts'

/** A file to judge: where its bytes are, the name it was given, and the fields it must fit. */
export type FileToValidate = { path: string; fileName: string; fields: readonly Field[] }
/** A file to propose fields from. */
export type SampleFile = Pick<FileToValidate, 'path' | 'fileName'>
/** A verdict whose rows were handed over before it. */
export type ValidationResult =
  | Exclude<Verdict, { kind: 'rowErrors' }>
  | Omit<Extract<Verdict, { kind: 'rowErrors' }>, 'rows'>
/** Takes the reports of the rows with errors, part after part; the next one comes when it has settled. */
export type StoreReports = (reports: PackedReports) => Promise<void>
export type ProposalOutcome =
  | { kind: 'proposal'; proposal: Proposal }
  | { kind: 'fileProblem'; problem: FileProblem }
/** Errors = a list of every error; Highlighted = the source with each bad cell marked. */
export type ErrorFileKind = 'errors' | 'highlighted'

/**
 * The engine behind a wall: it runs in processes of its own with limits on memory and time, so that whatever
 * a file does to it, this process goes on. Faulty files are verdicts; a `ValidatorError` says that there is
 * none.
 */
export type Validator = {
  /**
   * Throws `ValidatorError`, and whatever `keep` throws. The time that `keep` takes is not the file's.
   * `signal` ends the work at once (reason 'aborted').
   */
  validate(file: FileToValidate, keep: StoreReports, signal?: AbortSignal): Promise<ValidationResult>
  /**
   * Writes the error file to `outputPath`, which must not exist. Throws `ValidatorError`: 'unreadable', with
   * a sentence for people, where the source has a fault that judging did not meet, because it does not read
   * all that a Highlighted workbook needs.
   */
  writeErrorFile(kind: ErrorFileKind, file: FileToValidate, outputPath: string): Promise<void>
  /**
   * Writes the blank workbook of a dictionary to `outputPath`, which must not exist. Throws `ValidatorError`.
   */
  writeTemplate(dictionary: Dictionary, outputPath: string): Promise<void>
  /** Throws `ValidatorError`. `signal` ends the work at once (reason 'aborted'). */
  propose(file: SampleFile, signal?: AbortSignal): Promise<ProposalOutcome>
  /**
   * Why each of the regular expressions of one dictionary cannot be used, in words, or null. Throws
   * `ValidatorError`.
   */
  checkPatterns(patterns: readonly string[]): Promise<(string | null)[]>
  /** Reads a dictionary's workbook. Throws `ValidatorError`. */
  readDictionary(workbook: { fileName: string; bytes: Uint8Array }): Promise<ReadDictionary>
  /** Reads a Table Schema. Throws `ValidatorError`. */
  readTableSchema(json: string): Promise<ReadTableSchema>
}

/**
 * timeout: too slow; crashed: the process died, or the engine threw, which is a bug or a broken disk;
 * aborted: we ended it; unreadable: the file's own fault, where no verdict was asked for that could tell it.
 */
export type ValidatorErrorReason = 'timeout' | 'crashed' | 'aborted' | 'unreadable'

export class ValidatorError extends Error {
  override name = 'ValidatorError'
  readonly reason: ValidatorErrorReason
  constructor(reason: ValidatorErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}
