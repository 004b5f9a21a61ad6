import type { Field } from '@veridict/contract/model/field'
import type { Verdict, Warnings } from '@veridict/contract/model/verdict'
import type { DatedRuleBook } from '@veridict/engine'
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
/** Stores a part of the row reports; the next part comes when its promise is settled. */
export type StoreReports = (reports: PackedReports) => Promise<void>

/** Who takes turns: a company by its id, or the administrators together. */
export type Party = number | typeof ADMINISTRATORS
export const ADMINISTRATORS = 'administrators'
/** Who uploaded a file or has one made. Within its turns, the people of one party take turns. */
export type Requester = { party: Party; person: string }

/**
 * timeout: too slow; crashed: process or engine, which is a bug or a broken disk; aborted: we ended it;
 * unreadable: no verdict could report the broken file; unknownCause: the file does not have it; wrongAnswer:
 * no answer to its cause. Messages of `unreadable` and `wrongAnswer` are for people.
 */
type Reason = 'timeout' | 'crashed' | 'aborted' | 'unreadable' | 'unknownCause' | 'wrongAnswer'

export class ValidatorError extends Error {
  override name = 'ValidatorError'
  readonly reason: Reason
  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}
