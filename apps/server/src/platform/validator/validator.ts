import type { CheckedRuleBook } from '@veridict/contract/model/check-rule-book'
import type { Dictionary, Field } from '@veridict/contract/model/field'
import type { Proposal } from '@veridict/contract/model/proposal'
import type { FileProblem, Verdict, Warnings } from '@veridict/contract/model/verdict'
import type { WrittenChoice } from '@veridict/contract/notation/correction-answers'
import type { DatedRuleBook, ReadDictionary, ReadTableSchema } from '@veridict/engine'
import type { ComparedDictionary, ComparedFile } from '@veridict/engine/compare-dictionaries'
import type { TriedRow } from '@veridict/engine/try-row'
import type { PackedReports } from '#platform/database/pack-reports.ts'
import type { ReadableFile } from '#platform/storage/storage.ts'

/** Folders whose files validator processes may open. */
export type ValidatorFolders = { read: readonly string[]; write: readonly string[] }

export type FileToValidate = ReadableFile & {
  fileName: string
  fields: readonly Field[]
  ruleBook?: DatedRuleBook
}
export type LocalFileToValidate = Extract<FileToValidate, { path: string }>
/** A file from which fields are proposed. */
export type SampleFile = Pick<LocalFileToValidate, 'path' | 'fileName'>
type RowErrors = Extract<Verdict, { kind: 'rowErrors' }>
/** Absent where there are no warnings. */
type WarningCounts = { warnings?: Pick<Warnings, 'warningCount' | 'warningRowCount'> }
/** A verdict whose rows and causes, also those of warnings, were stored before it came. */
export type ValidationResult =
  | Extract<Verdict, { kind: 'fileProblem' }>
  | (Pick<Extract<Verdict, { kind: 'passed' }>, 'kind' | 'recordsCount'> & WarningCounts)
  | (Omit<RowErrors, 'rows' | 'causes' | 'causeRows' | 'warnings'> &
      WarningCounts & {
        /** Id and cells of the causes, largest first, as many as are stored; and how many there are. */
        causeCounts: [string, number][]
        causesCount: number
      })
/** `fields`: as they will be. */
export type RuleBookToCheck = {
  book: unknown
  fields: readonly Field[]
  changed?: { before: Field; after: Field }
}
/** The texts of the cells of a row by the names of their fields. */
export type RowToTry = {
  fields: readonly Field[]
  ruleBook: DatedRuleBook
  row: Readonly<Record<string, string>>
}
export type FileToCompare = {
  fileName: string
  bytes: Uint8Array
  before: ComparedDictionary
  after: ComparedDictionary
}
/** Stores a part of the row reports; the next part comes when its promise is settled. */
export type StoreReports = (reports: PackedReports) => Promise<void>
export type ProposalOutcome =
  | { kind: 'proposal'; proposal: Proposal }
  | { kind: 'fileProblem'; problem: FileProblem }
/** errors: a list of every error; highlighted: the source with every wrong cell marked. */
export type ErrorFileKind = 'errors' | 'highlighted'

/** Who takes turns: a company by its id, or the administrators together. */
export type Party = number | typeof ADMINISTRATORS
export const ADMINISTRATORS = 'administrators'
/**
 * Who uploaded a file or has one made. People of one party take turns within its turns; `person` names one.
 */
export type Requester = { party: Party; person: string }

/**
 * The engine in processes of its own, with limits on memory and time, so that no file can harm this process
 * (docs/adr/0011-validator-processes.md). A file with errors gives a verdict; `ValidatorError` means that
 * there is none.
 */
export type Validator = {
  /**
   * Throws `ValidatorError`, and what `store` and reading the file throw. The time that both take does not
   * count for the time limit. `signal` ends the work at once (reason 'aborted').
   */
  validate(
    file: FileToValidate,
    store: StoreReports,
    uploader: Requester,
    signal?: AbortSignal,
  ): Promise<ValidationResult>
  /**
   * Writes the error file to `outputPath`, which must not exist. Throws `ValidatorError`: 'unreadable', with
   * a sentence for people, if the source is broken in a part that only the highlighted file needs; 429 if too
   * many files of this person wait.
   */
  writeErrorFile(
    kind: ErrorFileKind,
    file: LocalFileToValidate,
    outputPath: string,
    requester: Requester,
  ): Promise<void>
  /**
   * Writes the corrected copy of a file to `outputPath`, which must not exist. Throws `ValidatorError`:
   * 'unreadable' as `writeErrorFile` does, 'unknownCause' if the file has no cause of one of the ids,
   * 'wrongAnswer', with a sentence for people, if a cause has no such answer.
   */
  writeCorrectedFile(
    choice: WrittenChoice,
    file: LocalFileToValidate,
    outputPath: string,
    requester: Requester,
  ): Promise<void>
  /**
   * Writes the blank workbook of a dictionary to `outputPath`, which must not exist. Throws `ValidatorError`.
   */
  writeTemplate(dictionary: Dictionary, outputPath: string, requester: Requester): Promise<void>
  /** Throws `ValidatorError`. `signal` ends the work at once (reason 'aborted'). */
  propose(file: SampleFile, signal?: AbortSignal): Promise<ProposalOutcome>
  /**
   * For each regular expression of a dictionary, a sentence that says why it cannot be used, or null. Throws
   * `ValidatorError`.
   */
  checkPatterns(patterns: readonly string[]): Promise<(string | null)[]>
  /**
   * Checks a whole rule book; `book` may be anything. `changed`: a field that changes, which the rules follow
   * first. Throws `ValidatorError`.
   */
  checkRuleBook(request: RuleBookToCheck): Promise<CheckedRuleBook>
  /** Checks a row that a person typed in. Throws `ValidatorError`. */
  tryRow(request: RowToTry): Promise<TriedRow>
  /**
   * Compares what two dictionaries say of a file. One file at a time, with the lowest priority, so that it
   * delays none that people uploaded. Throws `ValidatorError`. `signal` ends the work at once (reason
   * 'aborted').
   */
  compare(file: FileToCompare, signal: AbortSignal): Promise<ComparedFile>
  /** Reads a dictionary's workbook. Throws `ValidatorError`. */
  readDictionary(workbook: { fileName: string; bytes: Uint8Array }): Promise<ReadDictionary>
  /** Reads a Table Schema. Throws `ValidatorError`. */
  readTableSchema(json: string): Promise<ReadTableSchema>
}

/**
 * timeout: too slow; crashed: the process died, or the engine threw, which is a bug or a broken disk;
 * aborted: we ended it; unreadable: the file is broken, and the request has no verdict that could report it;
 * unknownCause: the request names a cause that the file does not have.
 */
export type ValidatorErrorReason =
  | 'timeout'
  | 'crashed'
  | 'aborted'
  | 'unreadable'
  | 'unknownCause'
  | 'wrongAnswer'

export class ValidatorError extends Error {
  override name = 'ValidatorError'
  readonly reason: ValidatorErrorReason
  constructor(reason: ValidatorErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}
