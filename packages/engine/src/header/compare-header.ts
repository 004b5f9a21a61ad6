import type { Field } from '@veridict/contract/model/field'
import { missingFields, pairColumns, type Sides, sidesOf } from '#header/pair-columns.ts'
import { NearestOption } from '#likeness/nearest-option.ts'

/**
 * A difference between a header and its dictionary. Positions are columns of the file, zero-based; a missing
 * column has the position where it is expected.
 */
export type HeaderDifference =
  | { kind: 'missing'; position: number; expected: string }
  | { kind: 'unexpected'; position: number; found: string; nearest: string | null }
  | { kind: 'blank'; position: number }
  | { kind: 'duplicate'; positions: readonly number[]; found: string }
  /** The right columns in another order: the first one in a wrong place. */
  | { kind: 'moved'; position: number; found: string; expected: string }

/**
 * Compares the labels of a header with the names of the fields, by `labelKey`. Every field must be there,
 * nothing else, and in this order. `header` begins at column A and has no blank labels at its end; the table
 * itself begins at `firstColumn`. Returns what is wrong in the order of the file, then what is missing. A
 * moved column is reported only if nothing else is wrong. See docs/BEHAVIOUR.md#header.
 */
export function compareHeader(
  header: readonly string[],
  fields: readonly Field[],
  firstColumn: number = 0,
): HeaderDifference[] {
  const sides = sidesOf(header.slice(firstColumn), fields)
  const differences = [...wrongLabels(sides, firstColumn), ...missingDifferences(sides, firstColumn)]
  return differences.length > 0 ? differences : firstMoved(sides, firstColumn)
}

/** Labels that are blank, duplicate, or not the name of a field. */
function* wrongLabels(sides: Sides, firstColumn: number): Iterable<HeaderDifference> {
  const { labels, labelKeys, fields, fieldKeys } = sides
  const known = new Set(fieldKeys)
  const places = Map.groupBy(labelKeys.keys(), (column) => labelKeys[column])
  const pairs = pairColumns(sides)
  const paired = new Set([...pairs.values()].map(({ field }) => field))
  const others = new NearestOption(
    missingFields(sides)
      .filter((field) => !paired.has(field))
      .map((field) => fields[field].name),
  )
  const nearest = (column: number) => {
    const pair = pairs.get(column)
    return pair?.by === 'name' ? fields[pair.field].name : others.to(labelKeys[column])
  }
  for (const [column, key] of labelKeys.entries()) {
    const position = firstColumn + column
    const columns = places.get(key)!
    const found = labels[column]
    if (key === '') yield { kind: 'blank', position }
    else if (columns[0] === column) {
      if (columns.length > 1)
        yield { kind: 'duplicate', positions: columns.map((one) => firstColumn + one), found }
      if (!known.has(key)) yield { kind: 'unexpected', position, found, nearest: nearest(column) }
    }
  }
}

const missingDifferences = (sides: Sides, firstColumn: number): HeaderDifference[] =>
  missingFields(sides).map((field) => ({
    kind: 'missing',
    position: firstColumn + field,
    expected: sides.fields[field].name,
  }))

function firstMoved(
  { labels, labelKeys, fields, fieldKeys }: Sides,
  firstColumn: number,
): HeaderDifference[] {
  const column = fieldKeys.findIndex((key, index) => labelKeys[index] !== key)
  if (column < 0) return []
  const [found, expected] = [labels[column], fields[column].name]
  return [{ kind: 'moved', position: firstColumn + column, found, expected }]
}
