import type { FieldItem } from '@veridict/contract/api/fields'
import { fieldForm, ruleConfigSchema } from '@veridict/contract/forms/field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import { type RuleConfig, ruleFromWire, RuleType, ruleTypeNames } from '@veridict/contract/model/rule'
import type { FieldBody } from './api.ts'
import { readConfig } from './rule-summary.ts'

/** A number input's value: '' while it is empty, a text while it is half typed. */
type NumberText = number | string

/**
 * What the form of a field holds. The options of all types live side by side: changing the type and back
 * loses nothing.
 */
export type FieldValues = {
  itemName: string
  description: string
  category: string
  /** '' until chosen; a select's values are texts. */
  ruleType: string
  canBeEmpty: boolean
  hasLengthRange: boolean
  minLength: NumberText
  maxLength: NumberText
  scale: NumberText
  hasRange: boolean
  min: NumberText
  max: NumberText
  regularExpression: string
  /** One value per line. */
  listText: string
  format: string
}

export const emptyField: FieldValues = {
  itemName: '',
  description: '',
  category: '',
  ruleType: '',
  canBeEmpty: false,
  hasLengthRange: false,
  minLength: '',
  maxLength: '',
  scale: '',
  hasRange: false,
  min: '',
  max: '',
  regularExpression: '',
  listText: '',
  format: '',
}

/** A stored field as the form shows it. */
export function valuesOf(field: Omit<FieldItem, 'position'>): FieldValues {
  const { minLength, maxLength, scale, min, max, format, regularExpression, optionSetValues } = readConfig(
    field.ruleConfigJson,
  )
  return {
    itemName: field.columnName,
    description: field.description,
    category: field.category,
    ruleType: String(field.ruleType),
    canBeEmpty: !field.isRequired,
    hasLengthRange: minLength != null || maxLength != null,
    minLength: minLength ?? '',
    maxLength: maxLength ?? '',
    scale: scale ?? '',
    hasRange: min != null || max != null,
    min: min ?? '',
    max: max ?? '',
    regularExpression: regularExpression ?? '',
    listText: optionSetValues?.join('\n') ?? '',
    format: format ?? '',
  }
}

/** A value of the form as a person reads it. */
export const wordOf = (name: keyof FieldValues, value: unknown): string =>
  name === 'ruleType' ? ruleTypeNames[Number(value) as RuleType] : String(value)

/** What is sent for a form that has no faults. */
export function bodyOf(values: FieldValues): FieldBody {
  const { itemName, description, category } = values
  const ruleType = Number(values.ruleType) as RuleType
  const config = ruleConfigSchema(ruleType).parse(configOf(ruleType, values))
  return {
    ...fieldForm.parse({ itemName, description, category, ruleType, isRequired: !values.canBeEmpty }),
    ruleConfig: JSON.stringify(config),
  }
}

/** What a form cannot know by itself: why the engine cannot run a regular expression; null where it can. */
export type CheckPattern = (pattern: string) => string | null

/**
 * Faults of the form by input, in the words of the contract; empty where it can be sent. Without
 * `checkPattern` (the engine is not loaded yet) the server alone judges whether an expression can be run.
 * Spec §5.
 */
export function faultsOf(values: FieldValues, checkPattern?: CheckPattern): Faults {
  const ruleType = ruleTypeOf(values)
  const { itemName, description, category } = values
  const faults: Faults = {}
  note(fieldForm.safeParse({ itemName, description, category, ruleType }).error?.issues, faults)
  if (ruleType === undefined) return faults
  const config = readRule(ruleType, values, checkPattern)
  return config.ok ? faults : { ...faults, ...config.faults }
}

/**
 * The field that the form describes so far, as the engine reads it, or what its rule lacks, by input. It need
 * not have a name yet.
 */
export function fieldOf(
  values: FieldValues,
  checkPattern: CheckPattern,
): { ok: true; field: Field } | { ok: false; faults: Faults } {
  const ruleType = ruleTypeOf(values)
  if (ruleType === undefined) return { ok: false, faults: { ruleType: fieldMessages.typeRequired } }
  const read = readRule(ruleType, values, checkPattern)
  if (!read.ok) return read
  const [name, description, category] = [values.itemName, values.description, values.category].map((text) =>
    text.trim(),
  )
  return {
    ok: true,
    field: {
      name,
      description,
      category,
      required: !values.canBeEmpty,
      rule: ruleFromWire(ruleType, read.config),
    },
  }
}

/** Whether two states of the form are one to the engine: neither the name nor the category judges a value. */
export function isSameRule(a: FieldValues, b: FieldValues): boolean {
  const names = Object.keys(a) as (keyof FieldValues)[]
  return names.every((name) => name === 'itemName' || name === 'category' || a[name] === b[name])
}

type Faults = Partial<Record<keyof FieldValues, string>>

const ruleTypeOf = ({ ruleType }: FieldValues) =>
  ruleType === '' ? undefined : (Number(ruleType) as RuleType)

function readRule(
  ruleType: RuleType,
  values: FieldValues,
  checkPattern: CheckPattern | undefined,
): { ok: true; config: RuleConfig } | { ok: false; faults: Faults } {
  const read = ruleConfigSchema(ruleType).safeParse(configOf(ruleType, values))
  if (!read.success) return { ok: false, faults: note(read.error.issues, {}) }
  const reason = ruleType === RuleType.Pattern ? checkPattern?.(values.regularExpression) : null
  if (reason != null)
    return { ok: false, faults: { regularExpression: fieldMessages.patternInvalid(reason) } }
  return { ok: true, config: read.data as RuleConfig }
}

/** Adds the first message of each input. */
function note(
  issues: readonly { path: readonly PropertyKey[]; message: string }[] | undefined,
  faults: Faults,
): Faults {
  for (const { path, message } of issues ?? [])
    faults[inputOf(String(path[0])) as keyof FieldValues] ??= message
  return faults
}

/** The first message of each of the server's errors, by input. */
export const inputErrorsOf = (errors: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([name, [message]]) => [inputOf(name), message]))

/** The list is typed as text, one value a line; all other inputs are named as on the wire. */
const inputOf = (name: string) => (name === 'optionSetValues' ? 'listText' : name)

function configOf(ruleType: RuleType, values: FieldValues): Record<string, unknown> {
  switch (ruleType) {
    case RuleType.Text:
      return values.hasLengthRange ? given({ minLength: values.minLength, maxLength: values.maxLength }) : {}
    case RuleType.Number:
      return given({ scale: values.scale, ...(values.hasRange ? { min: values.min, max: values.max } : {}) })
    case RuleType.Date:
      return { format: values.format }
    case RuleType.Pattern:
      return { regularExpression: values.regularExpression }
    case RuleType.List:
      return { optionSetValues: values.listText.split(/\r?\n/) }
  }
}

/**
 * Leaves out what is empty; a number that is still a text (too long for the input to hold as one) is read as
 * one.
 */
function given(numbers: Record<string, NumberText>): Record<string, number> {
  const filled = Object.entries(numbers).filter(([, value]) => value !== '')
  return Object.fromEntries(filled.map(([name, value]) => [name, Number(value)]))
}
