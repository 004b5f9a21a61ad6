import { fieldKey, ruleNumbers, ruleTypeOf } from '@veridict/contract/api/wire-field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import {
  checkField,
  checkRule,
  type FieldKey,
  type FieldProblem,
  type UncheckedField,
} from '@veridict/contract/model/check-field'
import type { Field } from '@veridict/contract/model/field'
import { type RuleType, ruleTypeNames, ruleTypes, type SettingValues } from '@veridict/contract/model/rule'

/** A number input's value: '' while it is empty, a text while it is half typed. */
type NumberText = number | string

/**
 * What the form of a field holds. The settings of all types live side by side: changing the type and back
 * loses nothing.
 */
export type FieldValues = {
  name: string
  description: string
  category: string
  /** '' until chosen. */
  type: RuleType | ''
  canBeEmpty: boolean
  identifiesRow: boolean
  hasLengthRange: boolean
  minLength: NumberText
  maxLength: NumberText
  scale: NumberText
  hasRange: boolean
  minimum: NumberText
  maximum: NumberText
  pattern: string
  /** One value per line. */
  listText: string
  format: string
}

export const emptyField: FieldValues = {
  name: '',
  description: '',
  category: '',
  type: '',
  canBeEmpty: false,
  identifiesRow: false,
  hasLengthRange: false,
  minLength: '',
  maxLength: '',
  scale: '',
  hasRange: false,
  minimum: '',
  maximum: '',
  pattern: '',
  listText: '',
  format: '',
}

/** The choices of a select of types. Their values are the wire's numbers. */
export const typeChoices = ruleTypes.map((type) => ({
  value: String(ruleNumbers[type]),
  label: ruleTypeNames[type],
}))
export const choiceOf = (type: FieldValues['type']): string | null =>
  type === '' ? null : String(ruleNumbers[type])
export const typeOf = (choice: string | null): FieldValues['type'] =>
  (choice === null ? undefined : ruleTypeOf(Number(choice))) ?? ''

/** A field as the form shows it. */
export function valuesOf({
  name,
  description,
  category,
  required,
  identifiesRow = false,
  rule,
}: Field): FieldValues {
  const { type, options, ...settings }: { type: RuleType } & SettingValues = rule
  const { minLength, maxLength, minimum, maximum } = settings
  return {
    ...emptyField,
    name,
    description,
    category,
    type,
    canBeEmpty: !required,
    identifiesRow,
    ...settings,
    hasLengthRange: minLength !== undefined || maxLength !== undefined,
    hasRange: minimum !== undefined || maximum !== undefined,
    listText: options?.join('\n') ?? '',
  }
}

/** What is typed, to be checked. The check reads the settings of the chosen type only. */
function unchecked(values: FieldValues): UncheckedField {
  const { name, description, category, identifiesRow, type } = values
  const { hasLengthRange, hasRange, format, pattern } = values
  return {
    name,
    description,
    category,
    required: !values.canBeEmpty,
    identifiesRow,
    rule: {
      type,
      minLength: hasLengthRange ? numberOf(values.minLength) : undefined,
      maxLength: hasLengthRange ? numberOf(values.maxLength) : undefined,
      scale: numberOf(values.scale),
      minimum: hasRange ? numberOf(values.minimum) : undefined,
      maximum: hasRange ? numberOf(values.maximum) : undefined,
      format,
      pattern,
      options: values.listText.split(/\r?\n/),
    },
  }
}

/** A number that is too long for the input to hold as one is still a text. */
const numberOf = (text: NumberText) => (text === '' ? undefined : Number(text))

/** Why the engine cannot run a regular expression; null where it can. */
export type CheckPattern = (pattern: string) => string | null

/** Messages by input. */
export type InputErrors = Partial<Record<keyof FieldValues, string>>
export type ReadField = { ok: true; field: Field } | { ok: false; errors: InputErrors }

/**
 * The field that the form describes, or what is wrong with it. Without `checkPattern` (the engine is not
 * loaded yet) only the server checks whether an expression can be run.
 */
export function readField(values: FieldValues, checkPattern?: CheckPattern): ReadField {
  const checked = checkField(unchecked(values))
  const errors: InputErrors = checked.ok ? {} : errorsOf(checked.problems)
  addPatternError(errors, values, checkPattern)
  return checked.ok && errors.pattern === undefined ? checked : { ok: false, errors }
}

type RangeInput = 'minLength' | 'maxLength' | 'scale' | 'minimum' | 'maximum'

/**
 * What is wrong with the bounds, null where nothing is: shown while they are typed. Bounds depend on one
 * another, so all are checked when one changes. A half typed number ('-') is wrong only when the form is
 * sent.
 */
export function rangeErrorsOf(values: FieldValues): Record<RangeInput, string | null> {
  const read = readField(values)
  const errors: InputErrors = read.ok ? {} : read.errors
  const shown = (input: RangeInput) => (Number.isNaN(Number(values[input])) ? null : (errors[input] ?? null))
  return {
    minLength: shown('minLength'),
    maxLength: shown('maxLength'),
    scale: shown('scale'),
    minimum: shown('minimum'),
    maximum: shown('maximum'),
  }
}

/** Reads a field that need not have a name yet. */
export function readUnnamedField(values: FieldValues, checkPattern?: CheckPattern): ReadField {
  const { name, description, category } = values
  const checked = checkRule(unchecked(values).rule)
  const errors: InputErrors = checked.ok ? {} : errorsOf(checked.problems)
  addPatternError(errors, values, checkPattern)
  if (!checked.ok || errors.pattern !== undefined) return { ok: false, errors }
  const texts = { name: name.trim(), description: description.trim(), category: category.trim() }
  return { ok: true, field: { ...texts, required: !values.canBeEmpty, rule: checked.rule } }
}

function addPatternError(errors: InputErrors, { type, pattern }: FieldValues, check?: CheckPattern): void {
  if (type !== 'pattern' || errors.pattern !== undefined) return
  const reason = check?.(pattern) ?? null
  if (reason !== null) errors.pattern = fieldMessages.patternInvalid(reason)
}

/** The first message of each input. */
function errorsOf(problems: readonly FieldProblem[]): InputErrors {
  const errors: InputErrors = {}
  for (const { key, message } of problems) errors[inputOf(key)] ??= message
  return errors
}

const inputOf = (key: FieldKey): keyof FieldValues =>
  key === 'required' ? 'canBeEmpty' : key === 'options' ? 'listText' : (key as keyof FieldValues)

/** The first message of each of the server's errors, by input. */
export const inputErrorsOf = (errors: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).map(([name, [message]]) => [inputOf(fieldKey(name) as FieldKey), message]),
  )

/** A value of the form as a person reads it. */
export const wordOf = (input: keyof FieldValues, value: unknown): string =>
  input === 'type' ? ruleTypeNames[value as RuleType] : String(value)

/** What plays no part in the result of a value. */
const withoutResult: readonly (keyof FieldValues)[] = ['name', 'category', 'identifiesRow']

/** Whether two states of the form give every value the same result. */
export function isSameRule(a: FieldValues, b: FieldValues): boolean {
  const inputs = Object.keys(a) as (keyof FieldValues)[]
  return inputs.every((input) => withoutResult.includes(input) || a[input] === b[input])
}
