import type { Field } from '@veridict/contract/model/field'
import { labelKey } from '@veridict/contract/notation/label'
import { NearestText } from '#nearest-text.ts'

/** One way in which a header differs from its dictionary. Positions are zero-based columns of the file; that of a missing column is where it should stand. */
export type HeaderDifference =
  | { kind: 'missing'; position: number; expected: string }
  | { kind: 'unexpected'; position: number; found: string; nearest: string | null }
  | { kind: 'blank'; position: number }
  | { kind: 'doubled'; positions: readonly number[]; found: string }
  /** Another order of the right columns: the first position that differs. */
  | { kind: 'moved'; position: number; found: string; expected: string }

/**
 * Compares labels with field names under `labelKey`; set and order are strict. Trailing blank labels must already be
 * dropped; the table begins at `firstColumn`, what stands left of it is blank. Answers every difference in the order of
 * the file, then what is missing; a moved column is told only where nothing else is wrong. Decisions, "Header".
 */
export function compareHeader(header: readonly string[], fields: readonly Field[], firstColumn: number = 0): HeaderDifference[] {
  const differences = compareLabels(header.slice(firstColumn), fields)
  return firstColumn === 0 ? differences : differences.map((difference) => shifted(difference, firstColumn))
}

function shifted(difference: HeaderDifference, by: number): HeaderDifference {
  return difference.kind === 'doubled'
    ? { ...difference, positions: difference.positions.map((position) => position + by) }
    : { ...difference, position: difference.position + by }
}

function compareLabels(header: readonly string[], fields: readonly Field[]): HeaderDifference[] {
  const found = header.map(labelKey)
  const expected = fields.map((field) => labelKey(field.name))
  const strangers = [...strangersIn(header, found, fields, expected), ...missingFrom(found, fields, expected)]
  return strangers.length > 0 ? strangers : firstMoved(header, found, fields, expected)
}

function* strangersIn(
  header: readonly string[],
  found: readonly string[],
  fields: readonly Field[],
  expected: readonly string[],
): Iterable<HeaderDifference> {
  const known = new Set(expected)
  const places = Map.groupBy(found.keys(), (position) => found[position])
  const missing = new NearestText(fields.filter((_, index) => !places.has(expected[index])).map((field) => field.name))
  for (const [position, key] of found.entries()) {
    const positions = places.get(key)!
    if (key === '') yield { kind: 'blank', position }
    else if (positions[0] === position) {
      if (positions.length > 1) yield { kind: 'doubled', positions, found: header[position] }
      if (!known.has(key)) yield { kind: 'unexpected', position, found: header[position], nearest: missing.to(key) }
    }
  }
}

function* missingFrom(found: readonly string[], fields: readonly Field[], expected: readonly string[]): Iterable<HeaderDifference> {
  const present = new Set(found)
  for (const [position, key] of expected.entries()) {
    if (!present.has(key)) yield { kind: 'missing', position, expected: fields[position].name }
  }
}

function firstMoved(
  header: readonly string[],
  found: readonly string[],
  fields: readonly Field[],
  expected: readonly string[],
): HeaderDifference[] {
  const position = expected.findIndex((key, index) => found[index] !== key)
  return position < 0 ? [] : [{ kind: 'moved', position, found: header[position], expected: fields[position].name }]
}
