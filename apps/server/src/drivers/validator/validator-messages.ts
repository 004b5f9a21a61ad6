import type { Dictionary } from '@veridict/contract/model/field'
import type { FileProblem, Verdict } from '@veridict/contract/model/verdict'
import type { CheckedFile, ErrorFileKind, ProposalOutcome, SampleFile } from '#drivers/validator/validator.ts'

/** What the pool asks of a validator process, one request at a time. */
export type ValidatorRequest =
  | { kind: 'validate'; file: CheckedFile }
  | { kind: 'writeErrorFile'; errorFile: ErrorFileKind; file: CheckedFile; outputPath: string }
  | { kind: 'writeTemplate'; dictionary: Dictionary; outputPath: string }
  | { kind: 'propose'; file: SampleFile }

/** `problem`: what an error file was to be made of cannot be read. `residentBytes` lets the pool replace a process that has grown. */
export type ValidatorReply = { residentBytes: number } & (
  | { verdict: Verdict }
  | { written: true }
  | { problem: FileProblem }
  | { proposal: ProposalOutcome }
  | { failed: string }
)
