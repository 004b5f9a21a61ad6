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
  const differences = compareLabels(header.slice(firstColumn), fields)
  return firstColumn === 0 ? differences : differences.map((difference) => shifted(difference, firstColumn))
}

function shifted(difference: HeaderDifference, by: number): HeaderDifference {
  return difference.kind === 'duplicate'
    ? { ...difference, positions: difference.positions.map((position) => position + by) }
    : { ...difference, position: difference.position + by }
}

function compareLabels(labels: readonly string[], fields: readonly Field[]): HeaderDifference[] {
  const sides = sidesOf(labels, fields)
  const differences = [...wrongLabels(sides), ...missingDifferences(sides)]
  return differences.length > 0 ? differences : firstMoved(sides)
}

/** Labels that are blank, duplicate, or not the name of a field. */
function* wrongLabels(sides: Sides): Iterable<HeaderDifference> {
  const { labels, labelKeys, fields, fieldKeys } = sides
  const known = new Set(fieldKeys)
  const places = Map.groupBy(labelKeys.keys(), (position) => labelKeys[position])
  const pairs = pairColumns(sides)
  const paired = new Set([...pairs.values()].map(({ field }) => field))
  const others = new NearestOption(
    missingFields(sides)
      .filter((field) => !paired.has(field))
      .map((field) => fields[field].name),
  )
  const nearest = (position: number) => {
    const pair = pairs.get(position)
    return pair?.by === 'name' ? fields[pair.field].name : others.to(labelKeys[position])
  }
  for (const [position, key] of labelKeys.entries()) {
    const positions = places.get(key)!
    if (key === '') yield { kind: 'blank', position }
    else if (positions[0] === position) {
      if (positions.length > 1) yield { kind: 'duplicate', positions, found: labels[position] }
      if (!known.has(key))
        yield { kind: 'unexpected', position, found: labels[position], nearest: nearest(position) }
    }
  }
}

const missingDifferences = (sides: Sides): HeaderDifference[] =>
  missingFields(sides).map((position) => ({
    kind: 'missing',
    position,
    expected: sides.fields[position].name,
  }))

function firstMoved({ labels, labelKeys, fields, fieldKeys }: Sides): HeaderDifference[] {
  const position = fieldKeys.findIndex((key, index) => labelKeys[index] !== key)
  return position < 0
    ? []
    : [{ kind: 'moved', position, found: labels[position], expected: fields[position].name }]
}
