import { tableSchemaImportNotes as notes } from '@veridict/contract/messages/table-schema'
import type { FieldParts } from '@veridict/contract/model/field'
import type { SchemaField } from '#dictionary-file/table-schema/schema-object.ts'
import { plainDecimal } from '#plain-decimal.ts'
import { compareExact, parseExact } from '#rules/exact-number.ts'

type Bound = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum'

/** A number's rule: whole for an integer, its bounds as doubles. */
export function readNumberRule(type: 'number' | 'integer', field: SchemaField): FieldParts {
  noteSpelling(field)
  const scale = field.take('veridict:scale')
  const bound = (constraint: Bound) => readBound(constraint, field)
  const beyond = (constraint: Bound, next: (value: number) => number) => {
    const value = bound(constraint)
    // Whole numbers above 3 are those from 4 on; of other numbers ours can only express "from 3 on".
    if (value === undefined) return undefined
    if (type === 'integer') return next(value)
    field.note(notes.exclusiveBound(constraint, plainDecimal(value)))
    return value
  }
  return {
    type: 'number',
    scale: type === 'integer' ? 0 : (scale as number | undefined),
    minimum: strictest(Math.max, bound('minimum'), beyond('exclusiveMinimum', wholeAbove)),
    maximum: strictest(Math.min, bound('maximum'), beyond('exclusiveMaximum', wholeBelow)),
  }
}

const wholeAbove = (value: number) => Math.floor(value) + 1
const wholeBelow = (value: number) => Math.ceil(value) - 1

function strictest(
  choose: (...values: number[]) => number,
  ...bounds: (number | undefined)[]
): number | undefined {
  const defined = bounds.filter((bound) => bound !== undefined)
  return defined.length === 0 ? undefined : choose(...defined)
}

/** A bound is a number, or a text that keeps its digits. */
function readBound(constraint: Bound, field: SchemaField): number | undefined {
  const written = field.constraints.take(constraint)
  if (written === undefined) return undefined
  const isNumeral = typeof written === 'string' && /^[+-]?\d+(?:\.\d+)?$/.test(written)
  const value = isNumeral ? Number(written) : written
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    field.wrong(constraint, written, 'a number')
    return undefined
  }
  const rounded = plainDecimal(value)
  if (isNumeral && compareExact(parseExact(written), parseExact(rounded)) !== 0) {
    field.note(notes.roundedBound(constraint, written, rounded))
  }
  return value
}

/** The standard allows other spellings of numbers; ours are digits with a point. */
function noteSpelling(field: SchemaField): void {
  const decimalChar = field.take('decimalChar') ?? '.'
  const groupChar = field.take('groupChar') ?? ''
  if (decimalChar !== '.') field.note(notes.decimalChar(String(decimalChar)))
  if (groupChar !== '') field.note(notes.groupChar(String(groupChar)))
  if (field.take('bareNumber') === false) field.note(notes.notBare)
}
