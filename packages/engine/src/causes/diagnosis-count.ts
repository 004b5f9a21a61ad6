import type { Remedies } from '@veridict/contract/messages/cause-sentences/remedies'
import type { CauseKind } from '@veridict/contract/model/cause'
import { errorScreenLimits } from '@veridict/contract/limits'
import type { Diagnosis } from '#causes/diagnosis.ts'
import type { KeptCell } from '#causes/kept-cell.ts'

/** Which suggestion of a diagnosis counts, once its column is known. */
export const Reading = { Open: 0, First: 1, Second: 2, Both: 3 } as const
export type Reading = (typeof Reading)[keyof typeof Reading]

/** The right value of a cell, if its column has this reading. */
export function suggestionOf({ suggestion, readings }: Diagnosis, reading: Reading): string | null {
  if (readings === null || reading === Reading.Open) return suggestion
  return reading === Reading.Both ? null : readings[reading - 1]
}

/** A value of the cells, with the first row that has it. `value` is cut for the screen. */
export type ExampleValue = {
  readonly rowNumber: number
  /** Of whole rows: the name of the column in which the value stands. */
  readonly label?: string
  readonly value: string
  diagnosis: Diagnosis
}
export type ValueCount = ExampleValue & { cells: number }

/** What too long texts have in common. Lengths in UTF-16 code units. */
export type TextExtent = { shortest: number; longest: number; prefix: string; suffix: string }

/** The cells of a column, or of whole rows, with the same diagnosis. */
export type DiagnosisCount = {
  /** null for whole rows. Cells beyond the header count as one column, the last. */
  readonly column: number | null
  readonly kind: CauseKind
  readonly detail: string
  cells: number
  rows: number
  firstRow: number
  /** A set of `Proof`. */
  proves: number
  /** By `Reading`: cells that then have a suggestion. */
  readonly suggested: number[]
  /** The first different values; none as long as all are in `values`. */
  readonly examples: ExampleValue[]
  /** How often each value occurs; null where there are too many, or where the kind is not counted so. */
  values: Map<string, ValueCount> | null
  extent: TextExtent | null
  /** What makes the suggestions of all cells that have one. */
  remedies: Remedies | null
  /** Of the first rows. One object each: a wide table has thousands. */
  readonly kept: KeptCell[]
}

/** Kinds whose examples are the most frequent values. */
const COUNTED: ReadonlySet<CauseKind> = new Set([
  'misspelt',
  'notInList',
  'letterCase',
  'variant',
  'placeholder',
])

export function newCount(
  column: number | null,
  { kind, detail }: Pick<Diagnosis, 'kind' | 'detail'>,
  firstRow: number,
): DiagnosisCount {
  return {
    column,
    kind,
    detail,
    cells: 0,
    rows: 0,
    firstRow,
    proves: 0,
    suggested: [0, 0, 0, 0],
    examples: [],
    values: COUNTED.has(kind) && detail === '' ? new Map() : null,
    extent: null,
    remedies: null,
    kept: [],
  }
}

export function addExample(examples: ExampleValue[], example: ExampleValue): void {
  if (examples.length >= errorScreenLimits.maxExamples) return
  if (!examples.some(({ value }) => value === example.value)) examples.push(example)
}

/** Adds a value that `values` does not have; at more than `most` different ones it gives up counting. */
export function addValue(count: DiagnosisCount, key: string, most: number, value: ValueCount): void {
  if (count.values!.size < most) count.values!.set(key, value)
  else {
    const counted = count.values!.values().take(errorScreenLimits.maxExamples)
    for (const { rowNumber, value: text, diagnosis } of counted)
      addExample(count.examples, { rowNumber, value: text, diagnosis })
    count.values = null
    addExample(count.examples, value)
  }
}

/** Beginnings and ends that are compared. */
const MAX_AFFIX = 20

export const extentOf = (text: string): TextExtent => ({
  shortest: text.length,
  longest: text.length,
  prefix: text.slice(0, MAX_AFFIX),
  suffix: text.slice(-MAX_AFFIX),
})

export function joinedExtent(one: TextExtent | null, other: TextExtent | null): TextExtent | null {
  if (one === null || other === null) return one ?? other
  return {
    shortest: Math.min(one.shortest, other.shortest),
    longest: Math.max(one.longest, other.longest),
    prefix: commonStart(one.prefix, other.prefix),
    suffix: commonEnd(one.suffix, other.suffix),
  }
}

function commonStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}

function commonEnd(one: string, other: string): string {
  let length = 0
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length++
  return length === 0 ? '' : one.slice(-length)
}
