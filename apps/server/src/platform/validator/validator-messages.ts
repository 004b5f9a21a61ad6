import type { CheckedRuleBook } from '@veridict/contract/model/check-rule-book'
import type { WrittenChoice } from '@veridict/contract/notation/correction-answers'
import type { Dictionary } from '@veridict/contract/model/field'
import type { FileProblem } from '@veridict/contract/model/verdict'
import type { ReadDictionary, ReadTableSchema } from '@veridict/engine'
import type { ComparedFile } from '@veridict/engine/compare-dictionaries'
import type { TriedRow } from '@veridict/engine/try-row'
import type { PackedReports } from '#platform/database/pack-reports.ts'
import type {
  LocalFileToValidate,
  ErrorFileKind,
  FileToCompare,
  ValidationResult,
  ProposalOutcome,
  RowToTry,
  RuleBookToCheck,
  SampleFile,
} from '#platform/validator/validator.ts'

/** What the pool sends to a validator process, one request at a time. */
export type ValidatorRequest =
  | { kind: 'validate'; file: SentFile }
  | { kind: 'writeErrorFile'; errorFile: ErrorFileKind; file: LocalFileToValidate; outputPath: string }
  | {
      kind: 'writeCorrectedFile'
      choice: WrittenChoice
      file: LocalFileToValidate
      outputPath: string
    }
  | { kind: 'writeTemplate'; dictionary: Dictionary; outputPath: string }
  | { kind: 'propose'; file: SampleFile }
  | { kind: 'checkPatterns'; patterns: readonly string[] }
  | ({ kind: 'checkRuleBook' } & RuleBookToCheck)
  | ({ kind: 'tryRow' } & RowToTry)
  | ({ kind: 'compare' } & FileToCompare)
  | { kind: 'readDictionary'; fileName: string; bytes: Uint8Array }
  | { kind: 'readTableSchema'; json: string }

/** A file whose bytes the process opens itself, or asks for. */
export type SentFile = Pick<LocalFileToValidate, 'fileName' | 'fields' | 'ruleBook'> &
  ({ path: string } | { size: number })

/** The process waits for the bytes from `readFrom` on, at most `length`. */
export type ReadMessage = { readFrom: number; length: number }

export type BytesMessage = { kind: 'bytes'; bytes: Uint8Array }

/** The reports are stored; the process may go on. */
export type ContinueMessage = { kind: 'continue' }

/**
 * Sent before the verdict. The process then waits for `ContinueMessage`, so that it never validates faster
 * than the database stores.
 */
export type ReportsMessage = { reports: PackedReports }

/**
 * `problem`: the source of an error file or of a corrected copy cannot be read. `residentBytes` lets the pool
 * replace a process that has grown.
 */
export type ValidatorReply = { residentBytes: number } & (
  | { verdict: ValidationResult }
  | { written: true }
  | { problem: FileProblem }
  | { unknownCauses: readonly string[] }
  | { refused: string }
  | { proposal: ProposalOutcome }
  | { refusals: (string | null)[] }
  | { checked: CheckedRuleBook }
  | { tried: TriedRow }
  | { compared: ComparedFile }
  | { dictionary: ReadDictionary }
  | { schema: ReadTableSchema }
  | { failed: string }
)
