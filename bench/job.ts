import type { Field } from '@veridict/contract/model/field'
import type { Counts } from './findings.ts'

/** What a measured program is told. */
export type Job = {
  /** The file to judge. */
  path: string
  dictionaryPath: string
  fields: readonly Field[]
  /** Where a program that writes a workbook puts it. */
  outputPath: string
  /** What tells one variant of a program from another. */
  settings: { threads?: number; listErrors?: boolean }
}

/**
 * A program: does the job in this process and says what it found; null where it only writes a file or has
 * nothing to find.
 */
export type Program = (job: Job) => Promise<Counts | null>
