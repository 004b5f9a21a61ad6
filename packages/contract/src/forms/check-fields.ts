import { labelKey } from '#notation/label.ts'
import { fieldMessages } from '#messages/fields.ts'
import type { Field } from '#model/field.ts'
import { checkField } from './check-field.ts'
import { fieldForm } from './field.ts'

/**
 * What is wrong with one value of one field of many. `index` is zero-based; `key` the value's name on the
 * wire.
 */
export type FieldsProblem = { index: number; name: string; key: string; message: string }
export type CheckedFields = { fields: Field[]; problems: FieldsProblem[] }

/**
 * Judges the fields of a new dictionary, each as `POST /api/DataDictionary/Item` brings it (`ruleConfig` is
 * JSON text), and their names against each other. `checkPattern` says why a regular expression cannot be
 * used, or null: the engine at hand. `fields` are whole only where there are no problems.
 */
export function checkFields(
  wires: readonly Record<string, unknown>[],
  checkPattern: (pattern: string) => string | null,
): CheckedFields {
  const fields: Field[] = []
  const problems: FieldsProblem[] = []
  const places = new Map<string, number>()
  for (const [index, wire] of wires.entries()) {
    const name = typeof wire.itemName === 'string' ? wire.itemName.trim() : ''
    const tell = (key: string, message: string) => problems.push({ index, name, key, message })
    const config = parseConfig(wire.ruleConfig)
    if (config === null) tell('ruleConfig', fieldMessages.configInvalid)
    const checked = checkField({ ...wire, ruleConfig: config ?? {} })
    // Without a configuration, what it lacks is not worth a second sentence.
    const told = checked.ok
      ? []
      : checked.problems.filter(({ key }) => config !== null || key in fieldForm.shape)
    for (const { key, message } of told) tell(key, message)
    const earlier = places.get(labelKey(name))
    if (name !== '' && earlier !== undefined) tell('itemName', fieldMessages.nameOfField(name, earlier + 1))
    else places.set(labelKey(name), index)
    if (!checked.ok) continue
    fields.push(checked.field)
    const reason = checked.field.rule.type === 'pattern' ? checkPattern(checked.field.rule.pattern) : null
    if (reason !== null) tell('regularExpression', fieldMessages.patternInvalid(reason))
  }
  return { fields, problems }
}

/** Absent means empty; null is no object. */
function parseConfig(text: unknown): object | null {
  if (text === undefined) return {}
  try {
    const config: unknown = JSON.parse(String(text))
    return typeof config === 'object' && config !== null && !Array.isArray(config) ? config : null
  } catch {
    return null
  }
}

/** A problem as a sentence that names its field. */
export const fieldsProblemText = ({ index, name, message }: FieldsProblem): string =>
  fieldMessages.atField(index + 1, name, message)
