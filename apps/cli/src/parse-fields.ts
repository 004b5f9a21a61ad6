import type { Field } from '@veridict/contract/model/field'
import { type RuleConfig, ruleFromWire, RuleType, ruleTypeNames } from '@veridict/contract/model/rule'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import { labelKey } from '@veridict/contract/notation/label'
import { checkPattern } from '@veridict/engine'
import { UsageError } from '#exit-code.ts'

/**
 * The fields of a dictionary written as JSON: `{ name, fields }`, or the bare array of fields. Asks for what
 * the engine needs and no more: the portal's bounds on lengths and names are the portal's. Throws
 * `UsageError` with every problem.
 */
export async function parseFields(json: string, path: string): Promise<Field[]> {
  const content = parse(json, path)
  const wires = Array.isArray(content) ? content : isObject(content) ? content.fields : undefined
  if (!Array.isArray(wires))
    throw new UsageError(`${path} holds no fields: { "name": …, "fields": [ … ] } is expected.`)
  const problems: string[] = []
  const fields: Field[] = []
  for (const [index, wire] of wires.entries()) {
    fields.push(await parseField(wire, (problem) => problems.push(`field ${index + 1}: ${problem}`)))
  }
  const keys = fields.map((field) => labelKey(field.name))
  for (const [index, key] of keys.entries()) {
    if (keys.indexOf(key) < index)
      problems.push(`field ${index + 1}: the name '${fields[index].name}' is used twice.`)
  }
  if (problems.length > 0)
    throw new UsageError([`${path} is not a data dictionary:`, ...problems].join('\n  '))
  return fields
}

function parse(json: string, path: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as Error).message}`)
  }
}

/** '0 Text, 1 Number … or 4 Item from a list'. */
function typeChoices(): string {
  const choices = Object.entries(ruleTypeNames).map(([ruleType, name]) => `${ruleType} ${name}`)
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices)
}

type Tell = (problem: string) => void

async function parseField(wire: unknown, tell: Tell): Promise<Field> {
  const {
    itemName,
    description,
    category,
    ruleType,
    isRequired = true,
    ruleConfig,
  } = isObject(wire) ? wire : {}
  if (typeof itemName !== 'string' || itemName.trim() === '') tell('itemName must be a text.')
  if (typeof isRequired !== 'boolean') tell('isRequired must be true or false.')
  const isType = Object.values(RuleType).includes(ruleType as RuleType)
  if (!isType) tell(`ruleType must be ${typeChoices()}.`)
  const config = parseConfig(ruleConfig, tell)
  if (isType) await checkConfig(ruleType as RuleType, config, tell)
  return {
    name: String(itemName),
    description: typeof description === 'string' ? description : '',
    category: typeof category === 'string' ? category : '',
    required: isRequired === true,
    rule: ruleFromWire(isType ? (ruleType as RuleType) : RuleType.Text, config),
  }
}

/** An object, or the same as JSON text, as the portal's calls write it. */
function parseConfig(ruleConfig: unknown, tell: Tell): RuleConfig {
  if (ruleConfig === undefined || ruleConfig === null) return {}
  if (isObject(ruleConfig)) return ruleConfig
  try {
    const parsed: unknown = JSON.parse(String(ruleConfig))
    if (isObject(parsed)) return parsed
  } catch {
    // Told below, as anything else that is no object.
  }
  tell('ruleConfig must be an object.')
  return {}
}

/** What is wrong with a value, or null. */
type ValueCheck = (value: unknown) => string | null | Promise<string | null>

/** What each rule type takes, and whether a value will do. */
const configKeys: Readonly<Record<RuleType, Readonly<Record<string, ValueCheck>>>> = {
  [RuleType.Text]: { minLength: length, maxLength: length },
  [RuleType.Number]: { scale: length, min: number, max: number },
  [RuleType.Date]: {
    format: (value) =>
      typeof value === 'string' && parseDateFormat(value) ? null : 'must be a date format like dd/MM/yyyy.',
  },
  [RuleType.Pattern]: { regularExpression: pattern },
  [RuleType.List]: { optionSetValues: list },
}
const needed: Readonly<Partial<Record<RuleType, string>>> = {
  [RuleType.Date]: 'format',
  [RuleType.Pattern]: 'regularExpression',
  [RuleType.List]: 'optionSetValues',
}

async function checkConfig(ruleType: RuleType, config: RuleConfig, tell: Tell): Promise<void> {
  const known = configKeys[ruleType]
  for (const [key, value] of Object.entries({ ...absent(needed[ruleType]), ...config })) {
    const problem =
      key in known
        ? await known[key](value)
        : `is not known for this ruleType; known are ${Object.keys(known).join(', ')}.`
    if (problem !== null) tell(`${key} ${problem}`)
  }
}

const absent = (key: string | undefined) => (key === undefined ? {} : { [key]: undefined })

function length(value: unknown): string | null {
  return value === null || (Number.isInteger(value) && Number(value) >= 0)
    ? null
    : 'must be a whole number of at least 0.'
}

function number(value: unknown): string | null {
  return value === null || Number.isFinite(value) ? null : 'must be a number.'
}

async function pattern(value: unknown): Promise<string | null> {
  if (typeof value !== 'string' || value === '') return 'must be a regular expression.'
  const reason = await checkPattern(value)
  return reason === null ? null : `cannot be used: ${reason}`
}

function list(value: unknown): string | null {
  const isList =
    Array.isArray(value) && value.length > 0 && value.every((option) => typeof option === 'string')
  return isList ? null : 'must be an array of texts with at least one.'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
