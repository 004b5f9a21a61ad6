import type { Cause } from '@veridict/contract/model/cause'
import type { CorrectionAnswer } from '@veridict/contract/notation/correction-answers'

/** What a corrected copy differs in, for the message after it was made. */
export type Correction = {
  /** Those that were ticked or answered. */
  causes: Cause[]
  /** By the id of the cause. */
  answers: ReadonlyMap<string, CorrectionAnswer>
  /** Cells of the copy that differ from the file. */
  changed: number
  /** Errors that are still in it; null where they are not known. */
  remaining: number | null
  /** The texts of rows and columns that a copy made on this computer does not have. */
  removed?: readonly { rowNumber: number | null; text: string }[]
}

export type CorrectedCopy = { file: File; correction: Correction }

/** The copy that a report made, for the upload screen, which opens next and takes it once. */
export const copyOfReport: { current: CorrectedCopy | null } = { current: null }

/** Valid dates that are changed too, by the name of their column: two causes may count the same ones. */
export const passedWrong = (causes: readonly Cause[]): [string, number][] => [
  ...new Map(
    causes.flatMap(({ label, passed }) => (passed === undefined ? [] : [[label ?? '', passed] as const])),
  ),
]

/** How many cells a copy corrects by the answers, or by the suggestions where there is no question. */
export function correctedCells(cause: Cause, answers: Correction['answers']): number {
  const { choice, map } = answers.get(cause.id) ?? {}
  if (map !== undefined)
    return (cause.values ?? []).reduce((sum, { value, cells }) => sum + (map.has(value) ? cells : 0), 0)
  if (choice === undefined) return cause.suggestions
  return cause.choices?.find(({ value }) => value === choice)?.suggestions ?? 0
}
