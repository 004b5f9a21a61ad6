import { fieldMessages as messages } from '#messages/fields.ts'
import { checkField, type FieldBounds } from '#model/check-field.ts'
import type { Field } from '#model/field.ts'
import { isObject } from '#notation/is-object.ts'
import { jsonOrNull } from '#notation/json-or-null.ts'
import { findNamesakes } from '#notation/label.ts'
import { partsFromWire, type RuleConfig, ruleTypeOf, wireName, wireSettings } from './wire-field.ts'

/** `key`: the API's name of the wrong value (`itemName`, `minLength` …), or `ruleConfig` as a whole. */
export type WireProblem = { key: string; message: string }
export type CheckedWireField = { ok: true; field: Field } | { ok: false; problems: WireProblem[] }

/** `ruleConfig` is JSON text, `{}` by default; with 'engine' (the command line) it may be an object. */
export function checkWireField(
  wire: Readonly<Record<string, unknown>>,
  bounds: FieldBounds = 'portal',
): CheckedWireField {
  const type = ruleTypeOf(wire.ruleType)
  const settings = type === undefined ? [] : wireSettings(type)
  const config = bounds === 'engine' ? readConfig(wire.ruleConfig) : parseConfig(wire.ruleConfig)
  const isConfig =
    config !== null && (type === undefined || Object.keys(config).every((key) => settings.includes(key)))
  const checked = checkField(partsFromWire(wire, config ?? {}), bounds)
  if (checked.ok && isConfig) return checked
  const problems: WireProblem[] = checked.ok
    ? []
    : checked.problems.map(({ key, message }) => ({ key: wireName(key), message }))
  if (isConfig) return { ok: false, problems }
  // A configuration that cannot be read gets one error, not a second one for each missing setting.
  const otherProblems = config === null ? problems.filter(({ key }) => !settings.includes(key)) : problems
  return { ok: false, problems: [...otherProblems, { key: 'ruleConfig', message: messages.configInvalid }] }
}

const readConfig = (given: unknown): RuleConfig | null =>
  isObject(given) ? given : parseConfig(given ?? undefined)

/** null if it is not an object. */
function parseConfig(text: unknown): RuleConfig | null {
  const config = text === undefined ? {} : typeof text === 'string' ? jsonOrNull(text) : null
  return isObject(config) ? config : null
}

/** `index`: the zero-based place of the field. */
export type WireProblemAt = WireProblem & { index: number; name: string }
/** Why each of some regular expressions cannot be used, or null. */
export type CheckPatterns = (patterns: string[]) => Promise<(pattern: string) => string | null>

/** Also checks the names against each other. The fields are complete only where there are no problems. */
export async function checkWireFields(
  wires: readonly Readonly<Record<string, unknown>>[],
  checkPatterns: CheckPatterns,
  bounds?: FieldBounds,
): Promise<{ fields: Field[]; problems: WireProblemAt[] }> {
  const checked = wires.map((wire) => checkWireField(wire, bounds))
  const fields = checked.flatMap((result) => (result.ok ? [result.field] : []))
  const patterns = fields.flatMap(({ rule }) => (rule.type === 'pattern' ? [rule.pattern] : []))
  const refusalOf = await checkPatterns(patterns)
  const namesakeOf = findNamesakes()
  const problems = checked.flatMap((result, index) => {
    const name = nameOf(wires[index])
    const found = result.ok ? [] : [...result.problems]
    const namesake = namesakeOf(name, index + 1)
    if (namesake !== undefined)
      found.push({ key: wireName('name'), message: messages.nameOfField(name, namesake) })
    const rule = result.ok ? result.field.rule : null
    const refusal = rule?.type === 'pattern' ? refusalOf(rule.pattern) : null
    if (refusal !== null) found.push({ key: wireName('pattern'), message: messages.patternInvalid(refusal) })
    return found.map((problem) => ({ ...problem, index, name }))
  })
  return { fields, problems }
}

const nameOf = ({ itemName }: Readonly<Record<string, unknown>>): string =>
  typeof itemName === 'string' ? itemName.trim() : ''

/** A problem as a sentence that names its field. */
export const wireProblemText = ({ index, name, message }: WireProblemAt): string =>
  messages.atField(index + 1, name, message)
