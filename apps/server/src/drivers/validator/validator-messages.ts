import type { Dictionary } from '@veridict/contract/model/field'
import type { FileProblem } from '@veridict/contract/model/verdict'
import type { ReadDictionary, ReadTableSchema } from '@veridict/engine'
import type { PackedReports } from '#db/pack-reports.ts'
import type {
  FileToValidate,
  ErrorFileKind,
  ValidationResult,
  ProposalOutcome,
  SampleFile,
} from '#drivers/validator/validator.ts'

/** What the pool asks of a validator process, one request at a time. */
export type ValidatorRequest =
  | { kind: 'validate'; file: FileToValidate }
  | { kind: 'writeErrorFile'; errorFile: ErrorFileKind; file: FileToValidate; outputPath: string }
  | { kind: 'writeTemplate'; dictionary: Dictionary; outputPath: string }
  | { kind: 'propose'; file: SampleFile }
  | { kind: 'checkPatterns'; patterns: readonly string[] }
  | { kind: 'readDictionary'; fileName: string; bytes: Uint8Array }
  | { kind: 'readTableSchema'; json: string }

/** Asks for what comes after reports that were sent. */
export type ContinueMessage = { kind: 'goOn' }

/**
 * Sent before the verdict that they belong to, and nothing more until `ContinueMessage`: who judges a file faster than
 * the database keeps its errors has to wait.
 */
export type ReportsMessage = { reports: PackedReports }

/**
 * `problem`: what an error file was to be made of cannot be read. `residentBytes` lets the pool replace a
 * process that has grown.
 */
export type ValidatorReply = { residentBytes: number } & (
  | { verdict: ValidationResult }
  | { written: true }
  | { problem: FileProblem }
  | { proposal: ProposalOutcome }
  | { refusals: (string | null)[] }
  | { dictionary: ReadDictionary }
  | { schema: ReadTableSchema }
  | { failed: string }
)
