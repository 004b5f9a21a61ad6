import type { Field } from '@veridict/contract/model/field'
import type { RowRule } from '@veridict/contract/model/row-rule'
import type { Counts } from './findings.ts'

/** The input of a measured program. */
export type Job = {
  path: string
  dictionaryPath: string
  fields: readonly Field[]
  rules?: readonly RowRule[]
  /** The path for the workbook that a program writes. */
  outputPath: string
}

/** Does a job in this process and returns what it found; null if it only writes a file. */
export type Program = (job: Job) => Promise<Counts | null>
