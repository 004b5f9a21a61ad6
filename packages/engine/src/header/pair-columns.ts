import type { Field } from '@veridict/contract/model/field'
import { labelKey } from '@veridict/contract/notation/label'
import { likeness, type NameWords, nameWords } from '#likeness/name-likeness.ts'

/** `isSure`: nothing else is possible, so that a copy may have the other name. */
export type Pair = {
  readonly field: number
  readonly by: 'name' | 'values' | 'place'
  readonly isSure: boolean
}

/**
 * What the values of a column say about a field. proof: they fit its list and show several options of it, and
 * no other column does; fit: they fit, and no other column does; open: nothing; misfit: most do not fit.
 */
export type ValueEvidence = 'proof' | 'fit' | 'open' | 'misfit'

/** Both numbers are columns of the table, zero-based. */
export type ReadEvidence = (column: number, field: number) => ValueEvidence

/** A wrong pair is worse than none: different names need place and values, or several values of a list. */
const EVIDENCE = {
  samePlace: 35,
  /** Between the same two neighbours, but not certainly in the same place there. */
  sameGap: 20,
  /** In the same place, with a blank label, so that no name contradicts the pair. */
  blankLabel: 45,
  values: { proof: 70, fit: 40, open: 0, misfit: -30 },
} as const
/** Very similar names are enough alone; less similar names only in the same place or with fitting values. */
const ENOUGH_BY_NAME = 80
const ENOUGH_BY_VALUES = 70
/** A pair must be better than every other pair of either side by this much. */
const MARGIN = 10
/** Names this alike are the same column, whatever its values are: dates may be in another format. */
const SURE_NAME = 80
/** The same words, at least without those in brackets. */
const SAME_NAME = 90
const TYPO = 70

/** 0.2 s at worst. With more than 100 differing columns a side, the file is for another dictionary. */
const MAX_PAIRS = 10_000

/** Labels and fields with the keys by which they are compared. */
export type Sides = {
  readonly labels: readonly string[]
  readonly labelKeys: readonly string[]
  readonly fields: readonly Field[]
  readonly fieldKeys: readonly string[]
}

export const sidesOf = (labels: readonly string[], fields: readonly Field[]): Sides => ({
  labels,
  labelKeys: labels.map(labelKey),
  fields,
  fieldKeys: fields.map(({ name }) => labelKey(name)),
})

type Candidate = Pair & { readonly column: number; readonly score: number; readonly isEnough: boolean }

/** By place, by likeness of the names and, with `readEvidence`, by values. Keys are columns of the table. */
export function pairColumns(sides: Sides, readEvidence: ReadEvidence = () => 'open'): Map<number, Pair> {
  const columns = freeColumns(sides)
  const fields = missingFields(sides)
  const pairs = new Map<number, Pair>()
  if (columns.length * fields.length > MAX_PAIRS) return pairs
  let candidates = candidatesOf(sides, columns, fields, readEvidence).sort((a, b) => b.score - a.score)
  for (;;) {
    const best = clearlyBest(candidates)
    if (best.length === 0) return pairs
    for (const { column, field, by, isSure } of best) pairs.set(column, { field, by, isSure })
    // Columns and fields that are already paired no longer compete.
    const pairedFields = new Set(best.map(({ field }) => field))
    candidates = candidates.filter(({ column, field }) => !pairs.has(column) && !pairedFields.has(field))
  }
}

/** Better by a margin than all others of their column and field. `candidates` are sorted, best first. */
function clearlyBest(candidates: readonly Candidate[]): Candidate[] {
  const ofColumn = Map.groupBy(candidates, ({ column }) => column)
  const ofField = Map.groupBy(candidates, ({ field }) => field)
  const isAhead = (candidate: Candidate, [first, second]: readonly Candidate[]) =>
    first === candidate && (second === undefined || second.score <= candidate.score - MARGIN)
  return candidates.filter(
    (candidate) =>
      candidate.isEnough &&
      isAhead(candidate, ofColumn.get(candidate.column)!) &&
      isAhead(candidate, ofField.get(candidate.field)!),
  )
}

/** Columns that are no field, or a field that an earlier column is already. */
export function freeColumns({ labelKeys, fieldKeys }: Sides): number[] {
  const left = new Set(fieldKeys)
  return [...labelKeys.keys()].filter((column) => !left.delete(labelKeys[column]))
}

/** Columns with the name of a field, the first one of each name, in the order of the file. */
export function equalNames({ labelKeys, fieldKeys }: Sides): { column: number; field: number }[] {
  const fieldOf = new Map(fieldKeys.map((key, field) => [key, field]))
  return [...labelKeys.entries()].flatMap(([column, key]) => {
    const field = fieldOf.get(key)
    fieldOf.delete(key)
    return field === undefined ? [] : [{ column, field }]
  })
}

export function missingFields({ labelKeys, fieldKeys }: Sides): number[] {
  const present = new Set(labelKeys)
  return [...fieldKeys.keys()].filter((field) => !present.has(fieldKeys[field]))
}

function candidatesOf(
  sides: Sides,
  columns: readonly number[],
  fields: readonly number[],
  readEvidence: ReadEvidence,
): Candidate[] {
  const places = new Places(
    sides,
    longestAscending(equalNames(sides), ({ field }) => field),
  )
  const known = new Set(sides.fieldKeys)
  const words = new Map(fields.map((field) => [field, nameWords(sides.fields[field].name)]))
  return columns.flatMap((column) => {
    const isBlank = sides.labelKeys[column] === ''
    // The second of two equal labels: its name belongs to the first one.
    const isNamed = !isBlank && !known.has(sides.labelKeys[column])
    const ofColumn: NameWords | null = isNamed ? nameWords(sides.labels[column]) : null
    return fields.flatMap((field) => {
      const alike = ofColumn === null ? 0 : likeness(ofColumn, words.get(field)!)
      const place = places.evidence(column, field)
      const candidate = weigh({ alike, place, isBlank, evidence: readEvidence(column, field) })
      return candidate === null ? [] : [{ ...candidate, column, field }]
    })
  })
}

type Weights = { alike: number; place: number; isBlank: boolean; evidence: ValueEvidence }

/** null for a pair that is so weak that it cannot make another pair doubtful. */
function weigh({ alike, place, isBlank, evidence }: Weights): Omit<Candidate, 'column' | 'field'> | null {
  const values = alike >= SURE_NAME ? Math.max(0, EVIDENCE.values[evidence]) : EVIDENCE.values[evidence]
  const blank = isBlank && place === EVIDENCE.samePlace ? EVIDENCE.blankLabel : 0
  const score = alike + place + values + blank
  const enough = alike > 0 ? ENOUGH_BY_NAME : ENOUGH_BY_VALUES
  if (score <= ENOUGH_BY_VALUES - MARGIN) return null
  const by = alike > 0 ? 'name' : values > 0 ? 'values' : 'place'
  return { score, isEnough: score >= enough, by, isSure: isSure({ alike, place, isBlank, evidence }) }
}

/** An abbreviation is sure by place or values, a typing error only by both: "Payer" and "Payee" are two. */
function isSure({ alike, place, evidence }: Weights): boolean {
  const isProven = evidence === 'fit' || evidence === 'proof'
  const isInPlace = place === EVIDENCE.samePlace
  if (alike >= SURE_NAME) return alike >= SAME_NAME || isProven || (isInPlace && evidence !== 'misfit')
  return alike >= TYPO && isProven && isInPlace
}

/** The places of columns and fields relative to the known ones. */
export class Places {
  readonly #columns: readonly Place[]
  readonly #fields: readonly Place[]

  readonly #anchors: readonly { field: number }[]

  /** `anchors` are pairs that are known, in the order of both sides. */
  constructor(sides: Sides, anchors: readonly { column: number; field: number }[]) {
    this.#anchors = anchors
    this.#columns = placesOf(
      sides.labels.length,
      anchors.map(({ column }) => column),
    )
    this.#fields = placesOf(
      sides.fields.length,
      anchors.map(({ field }) => field),
    )
  }

  evidence(column: number, field: number): number {
    const a = this.#columns[column]
    const b = this.#fields[field]
    if (a.gap !== b.gap) return 0
    if (a.fromStart === b.fromStart) return EVIDENCE.samePlace
    // Without any known column the gap is the whole table.
    if (a.isWhole) return 0
    return a.toEnd === b.toEnd ? EVIDENCE.samePlace : EVIDENCE.sameGap
  }

  /** The field with the same distance from the start of the same gap, if the gap has one. */
  opposite(column: number): number | undefined {
    const { gap, fromStart } = this.#columns[column]
    const field = (this.#anchors[gap - 1]?.field ?? -1) + fromStart
    return this.#fields[field]?.gap === gap ? field : undefined
  }
}

/** The number of a column's gap, and the column's distances from the gap's start and end. */
type Place = { gap: number; fromStart: number; toEnd: number; isWhole: boolean }

function placesOf(count: number, anchors: readonly number[]): Place[] {
  let gap = 0
  return Array.from({ length: count }, (_, column) => {
    if (anchors[gap] <= column) gap++
    return {
      gap,
      fromStart: column - (anchors[gap - 1] ?? -1),
      toEnd: (anchors[gap] ?? count) - column,
      isWhole: anchors.length === 0,
    }
  })
}

/** The longest part of `items`, in their order, in which `numberOf` only grows. */
export function longestAscending<T>(items: readonly T[], numberOf: (item: T) => number): T[] {
  // For each length the item that ends such a part with the lowest number, and for each item the one before.
  const ends: number[] = []
  const before = new Int32Array(items.length).fill(-1)
  for (const [index, item] of items.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (numberOf(items[ends[middle]]) < numberOf(item)) low = middle + 1
      else high = middle
    }
    if (low > 0) before[index] = ends[low - 1]
    ends[low] = index
  }
  const part: T[] = []
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index]) part.push(items[index])
  return part.reverse()
}
