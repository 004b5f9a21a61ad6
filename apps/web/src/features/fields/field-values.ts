import { fieldKey, ruleNumbers, ruleTypeOf } from '@veridict/contract/api/wire-field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { checkField } from '@veridict/contract/model/check-field'
import { type Field, type FieldParts, partsOf } from '@veridict/contract/model/field'
import {
  type RuleSetting,
  ruleSettings,
  type RuleType,
  ruleTypeNames,
  ruleTypes,
  type SettingValues,
} from '@veridict/contract/model/rule'

/** The value of an input: a number input has '' while it is empty, a text while it is half typed. */
type InputOf<Value> = Value extends number ? number | string : string

/** The settings of all types: changing the type and back loses nothing. `options` has one value per line. */
export type FieldValues = {
  name: string
  description: string
  category: string
  /** '' until chosen. */
  type: RuleType | ''
  required: boolean
  identifiesRow: boolean
  hasLengthRange: boolean
  hasRange: boolean
} & { [Setting in RuleSetting]: InputOf<NonNullable<SettingValues[Setting]>> }

const emptySettings = Object.fromEntries(
  Object.values(ruleSettings).flatMap((inputs) => inputs.map((input) => [input, ''])),
) as Record<RuleSetting, ''>

export const emptyField: FieldValues = {
  name: '',
  description: '',
  category: '',
  type: '',
  required: true,
  identifiesRow: false,
  hasLengthRange: false,
  hasRange: false,
  ...emptySettings,
}

const numberInputs = [
  'minLength',
  'maxLength',
  'scale',
  'minimum',
  'maximum',
  'minValues',
  'maxValues',
] as const satisfies readonly RuleSetting[]

/** The choices of a select of types. Their values are the wire's numbers, by which scripts may choose. */
export const typeChoices = ruleTypes.map((type) => ({
  value: String(ruleNumbers[type]),
  label: ruleTypeNames[type],
}))
export const choiceOf = (type: FieldValues['type']): string | null =>
  type === '' ? null : String(ruleNumbers[type])
export const typeOf = (choice: string | null): FieldValues['type'] =>
  (choice === null ? undefined : ruleTypeOf(Number(choice))) ?? ''

export function valuesOf(field: Field): FieldValues {
  const { options = [], ...parts }: Omit<ReturnType<typeof partsOf>, 'type'> & SettingValues = partsOf(field)
  return {
    ...emptyField,
    ...parts,
    hasLengthRange: parts.minLength !== undefined || parts.maxLength !== undefined,
    hasRange: parts.minimum !== undefined || parts.maximum !== undefined,
    options: options.join('\n'),
  }
}

/** What is typed, to be checked. The check reads the settings of the chosen type only. */
function partsOfValues(values: FieldValues): FieldParts {
  const numbers = Object.fromEntries(numberInputs.map((input) => [input, numberOf(values[input])]))
  return {
    ...values,
    ...numbers,
    ...(!values.hasLengthRange && { minLength: undefined, maxLength: undefined }),
    ...(!values.hasRange && { minimum: undefined, maximum: undefined }),
    ...(values.separator === '' && { minValues: undefined, maxValues: undefined }),
    options: values.options.split(/\r?\n/),
    separator: values.separator || undefined,
    checkDigit: values.checkDigit || undefined,
  }
}

/** A number that is too long for the input to hold as one is still a text. */
const numberOf = (text: number | string) => (text === '' ? undefined : Number(text))

/** Why the engine cannot run a regular expression; null where it can. */
export type CheckPattern = (pattern: string) => string | null

/** Messages by input. */
export type InputErrors = Partial<Record<keyof FieldValues, string>>
export type ReadField = { ok: true; field: Field } | { ok: false; errors: InputErrors }

/** Without `checkPattern` (the engine is not loaded yet), only the server checks expressions. */
export function readField(values: FieldValues, checkPattern?: CheckPattern): ReadField {
  const checked = checkField(partsOfValues(values))
  const errors: InputErrors = {}
  for (const { key, message } of checked.ok ? [] : checked.problems) errors[key] ??= message
  const reason = values.type === 'pattern' ? (checkPattern?.(values.pattern) ?? null) : null
  if (reason !== null) errors.pattern ??= fieldMessages.patternInvalid(reason)
  return checked.ok && errors.pattern === undefined ? checked : { ok: false, errors }
}

/** Bounds depend on one another, so all are checked while one is typed; a half typed '-' is no error yet. */
export function rangeErrorsOf(values: FieldValues): Record<string, string | null> {
  const read = readField(values)
  const errors: InputErrors = read.ok ? {} : read.errors
  const shown = (input: (typeof numberInputs)[number]) =>
    Number.isNaN(Number(values[input])) ? null : (errors[input] ?? null)
  return Object.fromEntries(numberInputs.map((input) => [input, shown(input)]))
}

/** Reads the rule, whatever the texts of the field are. */
export function readUnnamedField(values: FieldValues, checkPattern?: CheckPattern): ReadField {
  const read = readField({ ...values, name: 'Unnamed', description: '', category: '' }, checkPattern)
  const description = values.description.trim()
  return read.ok ? { ok: true, field: { ...read.field, description } } : read
}

/** The first message of each of the server's errors, by input. */
export const inputErrorsOf = (errors: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([name, [message]]) => [fieldKey(name), message]))

/** A value of the form as a person reads it: that of `required` at its input "Can be empty". */
export const wordOf = (input: keyof FieldValues, value: unknown): string =>
  input === 'type' ? ruleTypeNames[value as RuleType] : String(input === 'required' ? !value : value)

/** What plays no part in the result of a value. */
const withoutResult: readonly (keyof FieldValues)[] = ['name', 'category', 'identifiesRow']

/** Whether two states of the form give every value the same result. */
export function isSameRule(a: FieldValues, b: FieldValues): boolean {
  const inputs = Object.keys(a) as (keyof FieldValues)[]
  return inputs.every((input) => withoutResult.includes(input) || a[input] === b[input])
}
