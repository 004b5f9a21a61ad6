import type { z } from 'zod'
import type * as shapes from '#api/report-shape.ts'
import type sentences from '#messages/cause-sentences/sentences.json'
import type { structureSentences } from '#messages/structure.ts'
import type { RowReport } from '#model/cell-error.ts'

/** What kind of cause: what is wrong with the cells; a name with a slash is a variant. Ours. */
export type CauseKind = Exclude<keyof (typeof sentences)['kinds'], `${string}/${string}`>

/** What is wrong with the structure of a table, and a copy can correct, by what the copy changes. Ours. */
export type StructureKind = keyof typeof structureSentences

type SentCause = z.infer<typeof shapes.cause>
/** Absent: `severity` only for errors, `rule` for other causes, `correctable` for causes of cells. */
type Absent = 'severity' | 'rule' | 'correctable'
/** A cause of the errors or warnings of a file. Their shape is that of calls (`api/report-shape`). */
export type Cause = Omit<SentCause, Absent | 'remembered' | 'values'> &
  Partial<Pick<SentCause, Absent>> & { values?: AskedValue[] }
/** A text that is asked about; of a heading, and only in the browser, also values of its column. */
export type AskedValue = NonNullable<SentCause['values']>[number] & { samples?: string[] }
export type CauseChoice = NonNullable<Cause['choices']>[number]
export type CauseExample = Cause['examples'][number]

/** Whether a copy can correct a cause. */
export const correctableOf = ({ correctable, suggestions }: Cause): 'yes' | 'choice' | 'no' =>
  correctable ?? (suggestions > 0 ? 'yes' : 'no')

/** Whether it is one of the structure, by its id: the causes below it are found once it is corrected. */
export const isOfStructure = (id: string): boolean => /^(?:table|rows)\./.test(id)

/** The causes of a file whose structure is corrected as it is chosen. */
export type CausesBelow = {
  /** Those that were corrected. */
  corrected: readonly Cause[]
  causes: readonly Cause[]
  /** null where its structure still is not right, so that no cells were checked. */
  cellErrorCount: number | null
}

/** A cause with the members that replies and JSON always have. */
export const jsonCause = ({ severity, rule, ...cause }: Cause) => ({
  ...cause,
  correctable: correctableOf(cause),
  severity: severity ?? ('error' as const),
  rule: rule ?? null,
})

/** A report with its causes of errors only, and those of warnings apart. */
export function splitCauses<R extends { causes: Cause[]; causesCount: number }>(report: R) {
  const { error: causes = [], warning: warnings = [] } = Object.groupBy(
    report.causes,
    ({ severity = 'error' }) => severity,
  )
  return { report: { ...report, causes, causesCount: report.causesCount - warnings.length }, warnings }
}

/**
 * Two examples show a change; of counted values, the three most frequent ones. An empty cell needs none. Of
 * whole rows, the values of the first one.
 */
export const shownExamples = ({ examples, columnPosition, firstRow }: Cause): CauseExample[] =>
  columnPosition === null
    ? examples.filter(({ rowNumber }) => rowNumber === firstRow)
    : examples
        .filter(({ value, suggestion }) => value !== (suggestion ?? ''))
        .slice(0, examples.some(({ count }) => count !== null) ? 3 : 2)

/**
 * The first rows (`errorScreenLimits.maxRowsPerCause`), each with the errors of this cause only, which alone
 * `totalCount` counts.
 */
export type CauseRows = { cause: string; rows: RowReport[] }
