import list from './comparisons.json' with { type: 'json' }
import type claimsRules from './generate/claims-rules.json'
import type { DataName } from './generate/data-files.ts'
import type { ProgramName } from './programs.ts'

/** Programs that do the same work on the same file. The first is ours; the others are compared with it. */
export type Comparison = {
  title: string
  data: DataName
  /** Rules between cells, checked beside those of the fields. Every program must count as many errors. */
  rules?: keyof typeof claimsRules
  programs: readonly ProgramName[]
}

export type ComparisonName = keyof typeof list
export const comparisons = list as unknown as Readonly<Record<ComparisonName, Comparison>>
export const comparisonNames = Object.keys(list) as ComparisonName[]
