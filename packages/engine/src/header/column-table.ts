import { columnNotes as notes } from '@veridict/contract/messages/file-problems'
import type { Field } from '@veridict/contract/model/field'
import type { ColumnDifference } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { quoted } from '#header/check-header.ts'
import {
  equalNames,
  freeColumns,
  longestAscending,
  missingFields,
  type Pair,
  Places,
  type Sides,
  sidesOf,
} from '#header/pair-columns.ts'

/** What the first rows show about a header that does not match. */
export type HeaderReading =
  /** The heading row is missing. */
  | { kind: 'missing' }
  /** The heading row is further down. */
  | { kind: 'below'; rowNumber: number; isExact: boolean }
  /**
   * Keys of `pairs` are columns of the table. `isOther`: few are known, so the file is for another
   * dictionary, and advice would be wrong. `isRenamed`: at least half are known by name or by values.
   */
  | { kind: 'names'; pairs: ReadonlyMap<number, Pair>; known: number; isOther: boolean; isRenamed: boolean }

/** The columns that differ from the dictionary, in the order of their positions. */
export function columnTable(
  labels: readonly string[],
  fields: readonly Field[],
  firstColumn: number,
  reading: HeaderReading,
): ColumnDifference[] {
  const letter = (column: number) => columnLetter(firstColumn + column)
  const lines = linesOf(sidesOf(labels, fields), reading, letter)
  return lines
    .sort((a, b) => a.column - b.column)
    .map(({ column, field, label, note }) => ({
      position: letter(column),
      expected: field === null ? null : fields[field].name,
      found: label === null ? null : quoted(labels[label]),
      note,
    }))
}

/** A line of the table: a place, the field expected there, and the column of the table found there. */
type Line = { column: number; field: number | null; label: number | null; note: string }

function linesOf(sides: Sides, reading: HeaderReading, letter: (column: number) => string): Line[] {
  if (reading.kind === 'names') return new ComparedNames(sides, reading, letter).lines()
  // Its names differ, too: they are compared once the rows above it are gone.
  if (reading.kind === 'below' && !reading.isExact) return []
  return byPlace(sides, (field) => {
    if (reading.kind === 'below') return notes.headerBelow(reading.rowNumber)
    const isFilled = field < sides.labels.length && sides.labelKeys[field] !== ''
    return (isFilled ? notes.value : notes.noValue)(sides.fields[field].name)
  })
}

/** All places in order, for a first row that is not a header. */
const byPlace = ({ labels, fields }: Sides, noteOf: (field: number) => string): Line[] =>
  Array.from({ length: Math.max(labels.length, fields.length) }, (_, column) => {
    const field = column < fields.length ? column : null
    const label = column < labels.length ? column : null
    return { column, field, label, note: field === null ? notes.unexpected : noteOf(field) }
  })

/** The lines for a header whose names differ from those of the dictionary. */
class ComparedNames {
  readonly #sides: Sides
  readonly #pairs: ReadonlyMap<number, Pair>
  readonly #hasAdvice: boolean
  readonly #letter: (column: number) => string
  /** The first column of each label. */
  readonly #first: ReadonlyMap<string, number>
  readonly #places: Places
  /** Columns without a field of their name. */
  readonly #free: ReadonlySet<number>
  /** Columns that are a field by its name, or probably, in the order of the file. */
  readonly #placed: readonly { column: number; field: number }[]
  /** Placed columns that are in the right order already. */
  readonly #settled: ReadonlySet<number>

  constructor(
    sides: Sides,
    { pairs, isOther }: HeaderReading & { kind: 'names' },
    letter: (column: number) => string,
  ) {
    this.#sides = sides
    this.#pairs = pairs
    this.#hasAdvice = !isOther
    this.#letter = letter
    this.#first = new Map([...sides.labelKeys.entries()].reverse().map(([column, key]) => [key, column]))
    this.#free = new Set(freeColumns(sides))
    const paired = [...pairs].map(([column, { field }]) => ({ column, field }))
    this.#placed = [...equalNames(sides), ...paired].sort((a, b) => a.column - b.column)
    const settled = longestAscending(this.#placed, ({ field }) => field)
    this.#settled = new Set(settled.map(({ column }) => column))
    this.#places = new Places(sides, settled)
  }

  lines(): Line[] {
    const paired = new Set([...this.#pairs.values()].map(({ field }) => field))
    const missing = new Set(missingFields(this.#sides).filter((field) => !paired.has(field)))
    const lines = this.#hasAdvice ? [...this.#movedLines()] : []
    for (const column of this.#free) {
      const pair = this.#pairs.get(column)
      if (pair !== undefined) lines.push(this.#pairedLine(column, pair))
      else {
        const field = this.#isNew(column) ? this.#places.opposite(column) : undefined
        const isThere = field !== undefined && missing.delete(field)
        lines.push(isThere ? this.#otherLine(column, field) : this.#unexpectedLine(column))
      }
    }
    for (const field of missing) {
      const note = this.#hasAdvice ? notes.insert(this.#letter(field)) : notes.missing
      lines.push({ column: field, field, label: null, note })
    }
    return lines
  }

  /** Columns with the name of a field, in another order than the fields. */
  *#movedLines(): Iterable<Line> {
    const isOrderOnly = this.#free.size === 0 && this.#placed.length === this.#sides.fields.length
    for (const { column, field } of this.#placed) {
      if (this.#free.has(column)) continue
      const isMoved = !this.#settled.has(column)
      // If there are other differences, places are not reliable: only columns that must be moved are listed.
      if (!isMoved && (!isOrderOnly || column === field)) continue
      yield {
        column,
        field: column < this.#sides.fields.length ? column : null,
        label: column,
        note: isMoved ? notes.move(this.#letter(field)) : notes.rightOnceMoved,
      }
    }
  }

  #pairedLine(column: number, { field, by }: Pair): Line {
    const { name } = this.#sides.fields[field]
    const isNamed = this.#sides.labelKeys[column] !== ''
    const noteOf = !isNamed ? notes.nameIfMeant : by === 'name' ? notes.rename : notes.renameIfMeant
    const note = noteOf(name, this.#settled.has(column) ? null : this.#letter(field))
    return { column, field, label: column, note }
  }

  /** Whether a column has a name, and no column before it has the same. */
  #isNew(column: number): boolean {
    const key = this.#sides.labelKeys[column]
    return key !== '' && this.#first.get(key) === column
  }

  /** A column that is neither known nor probable, in the place of a missing field. */
  #otherLine(column: number, field: number): Line {
    const note = this.#hasAdvice ? notes.otherHere(this.#sides.fields[field].name) : notes.unexpected
    return { column, field, label: column, note }
  }

  #unexpectedLine(column: number): Line {
    const key = this.#sides.labelKeys[column]
    const ofName = this.#hasAdvice ? notes.delete : notes.unexpected
    const ofKey = this.#isNew(column) ? ofName : notes.duplicate(this.#letter(this.#first.get(key)!))
    return { column, field: null, label: column, note: key === '' ? notes.blank : ofKey }
  }
}
