import { dictionaryLimits, fileGuards, nameLimits } from '#limits.ts'
import { fieldMessages as messages } from '#messages/fields.ts'
import { noticeMessages } from '#messages/notices.ts'
import type { Field, FieldKey, FieldParts } from '#model/field.ts'
import {
  type CheckDigitScheme,
  checkDigitSchemes,
  type Rule,
  type RuleOf,
  type RuleSetting,
  type RuleType,
  ruleTypes,
} from '#model/rule.ts'
import { parseDateFormat } from '#notation/date-format.ts'
import { isStorable } from '#notation/storable-text.ts'

/**
 * Checks a field from any source: form, call, workbook, Table Schema, command line. See
 * docs/BEHAVIOUR.md#fields-and-rules. Not written with zod, whose loading would take half of the time in
 * which the command line starts (25 of 50 ms). Regular expressions are checked elsewhere, with RE2.
 */

export type FieldProblem = { key: FieldKey; message: string }
export type CheckedField = { ok: true; field: Field } | { ok: false; problems: FieldProblem[] }

/** 'portal': within its limits, with at least one possible value. 'engine': all that the engine can run. */
export type FieldBounds = 'portal' | 'engine'

/** The texts of a field; `required` is the message where one must not be empty. */
export const fieldTexts = {
  name: { maxLength: nameLimits.maxLength, required: messages.nameRequired },
  description: { maxLength: nameLimits.maxTextLength },
  category: { maxLength: nameLimits.maxLength },
} as const

/** Texts come out trimmed; `required` is true unless given, `identifiesRow` false. */
export function checkField(given: FieldParts, bounds: FieldBounds = 'portal'): CheckedField {
  const checker = new Checker(bounds === 'portal')
  const field = {
    name: checker.text('name', given.name),
    description: checker.text('description', given.description),
    category: checker.text('category', given.category),
    required: checker.flag('required', given.required, true),
    ...(checker.flag('identifiesRow', given.identifiesRow, false) && { identifiesRow: true }),
    rule: checker.rule(given),
  }
  return checker.problems.length === 0 && field.rule !== null
    ? { ok: true, field: { ...field, rule: field.rule } }
    : { ok: false, problems: checker.problems }
}

class Checker {
  readonly problems: FieldProblem[] = []
  readonly #inPortal: boolean

  constructor(inPortal: boolean) {
    this.#inPortal = inPortal
  }

  text(key: keyof typeof fieldTexts, given: unknown): string {
    const { maxLength, required }: { maxLength: number; required?: string } = fieldTexts[key]
    if (typeof given !== 'string') {
      if (required !== undefined) this.#report(key, required)
      else if (given != null && this.#inPortal) this.#report(key, noticeMessages.invalidValue)
      return ''
    }
    const text = given.trim()
    if (text === '' && required !== undefined) this.#report(key, required)
    this.#checkStorable(key, text, maxLength)
    return text
  }

  flag(key: 'required' | 'identifiesRow', given: unknown, absent: boolean): boolean {
    if (typeof given === 'boolean') return given
    if (given !== undefined) this.#report(key, noticeMessages.invalidValue)
    return absent
  }

  /** null if the type is missing or unknown. */
  rule(given: FieldParts): Rule | null {
    const type = ruleTypes.find((known) => known === given.type)
    if (type !== undefined) return this.#checks[type](given)
    this.#report('type', messages.typeRequired)
    return null
  }

  /** After a reported problem the result may be wrong, so the caller does not use it. */
  readonly #checks: { readonly [T in RuleType]: (given: FieldParts) => RuleOf<T> } = {
    text: (given) => {
      const minLength = this.#length('minLength', given.minLength)
      const maxLength = this.#length('maxLength', given.maxLength)
      const checkDigit = this.#checkDigit(given.checkDigit)
      if (this.#inPortal) this.#checkLengths(minLength, maxLength)
      return withoutUndefined({ type: 'text', minLength, maxLength: maxLength || undefined, checkDigit })
    },
    number: (given) => {
      const isScale = (scale: number) => this.#isWhole(scale) && scale >= 0
      const scale = this.#number('scale', given.scale, isScale, messages.scaleInvalid)
      const minimum = this.#bound('minimum', given.minimum)
      const maximum = this.#bound('maximum', given.maximum)
      if (this.#inPortal && minimum !== undefined && maximum !== undefined && minimum > maximum) {
        this.#report('minimum', messages.minimumAboveMaximum)
        this.#report('maximum', messages.maximumBelowMinimum)
      }
      return withoutUndefined({ type: 'number', scale, minimum, maximum })
    },
    date: ({ format }) => {
      if (typeof format !== 'string' || format === '') this.#report('format', messages.dateFormatRequired)
      else if (parseDateFormat(format) === null) this.#report('format', messages.dateFormatInvalid)
      return { type: 'date', format: String(format) }
    },
    pattern: ({ pattern, checkDigit }) => {
      if (typeof pattern !== 'string' || pattern === '') this.#report('pattern', messages.patternRequired)
      else {
        // A pattern of blanks is refused: no trimmed cell matches it, and in a dictionary's workbook it would
        // look like an empty cell.
        if (this.#inPortal && !/\S/.test(pattern)) this.#report('pattern', messages.patternRequired)
        this.#checkStorable('pattern', pattern, nameLimits.maxTextLength)
      }
      const scheme = this.#checkDigit(checkDigit)
      return withoutUndefined({ type: 'pattern', pattern: String(pattern), checkDigit: scheme })
    },
    list: (given) => {
      const options = this.#options(given.options)
      const separator = this.#separator(given.separator, options)
      const minValues = this.#length('minValues', given.minValues)
      const maxValues = this.#length('maxValues', given.maxValues)
      if (separator === undefined && (minValues ?? maxValues) !== undefined)
        this.#report('separator', messages.separatorRequired)
      if (maxValues !== undefined && (maxValues < 1 || maxValues < (minValues ?? 0)))
        this.#report('maxValues', messages.maxValuesInvalid)
      return withoutUndefined({ type: 'list', options, separator, minValues, maxValues })
    },
  }

  #checkDigit(given: unknown): CheckDigitScheme | undefined {
    const scheme = checkDigitSchemes.find((known) => known === given)
    if (given != null && scheme === undefined) this.#report('checkDigit', messages.checkDigitUnknown)
    return scheme
  }

  #separator(given: unknown, options: readonly string[]): string | undefined {
    if (given == null) return undefined
    // Other white space is trimmed from cells, of a workbook of dictionaries too.
    if (typeof given !== 'string' || [...given].length !== 1 || /[^\S\t ]/.test(given) || !isStorable(given))
      this.#report('separator', messages.separatorInvalid)
    else if (options.some((option) => option.includes(given)))
      this.#report('separator', messages.separatorInOption)
    return String(given)
  }

  /** undefined if it is not set (absent or null), or if it is no right number, which is reported. */
  #number(
    key: RuleSetting,
    given: unknown,
    isRight: (given: number) => boolean,
    message: string,
  ): number | undefined {
    if (given == null) return undefined
    if (typeof given === 'number' && isRight(given)) return given
    this.#report(key, message)
    return undefined
  }

  #bound(key: 'minimum' | 'maximum', given: unknown): number | undefined {
    return this.#number(key, given, Number.isFinite, messages.configInvalid)
  }

  /** -1.5 is wrong for two reasons. */
  #length(key: 'minLength' | 'maxLength' | 'minValues' | 'maxValues', given: unknown): number | undefined {
    if (typeof given === 'number' && given < 0) this.#report(key, messages.negativeLength)
    return this.#number(key, given, (length) => this.#isWhole(length), messages.lengthNotInteger)
  }

  #checkLengths(minLength: number | undefined, maxLength: number | undefined): void {
    const most = dictionaryLimits.maxTextLengthBound
    if (minLength !== undefined && minLength > most) this.#report('minLength', messages.minLengthTooLarge)
    else if (minLength !== undefined && maxLength && minLength > maxLength)
      this.#report('minLength', messages.minLengthAboveMaximum)
    if (maxLength === 0) this.#report('maxLength', messages.maxLengthZero)
    else if (maxLength !== undefined && (maxLength > most || maxLength < (minLength ?? 0)))
      this.#report('maxLength', messages.maxLengthInvalid)
  }

  /** The options: in the portal trimmed, without blanks and duplicates; on the command line as written. */
  #options(given: unknown): string[] {
    const texts = Array.isArray(given) ? given.filter((option) => typeof option === 'string') : []
    if (!Array.isArray(given)) this.#report('options', messages.listRequired)
    else for (const _ of given.slice(texts.length)) this.#report('options', messages.configInvalid)
    const options = this.#inPortal ? tidied(texts) : texts
    if (Array.isArray(given) && options.length === 0 && texts.length === given.length)
      this.#report('options', messages.listRequired)
    for (const option of options) this.#checkStorable('options', option, fileGuards.maxCellLength)
    if (this.#inPortal && options.some((option) => /[\r\n]/.test(option)))
      this.#report('options', messages.listValueWithLineBreak)
    return options
  }

  #checkStorable(key: FieldKey, text: string, maxLength: number): void {
    if (!this.#inPortal) return
    if (text.length > maxLength) this.#report(key, noticeMessages.tooLong(maxLength))
    if (!isStorable(text)) this.#report(key, noticeMessages.invalidValue)
  }

  #isWhole(given: number): boolean {
    return this.#inPortal ? Number.isSafeInteger(given) : Number.isInteger(given)
  }

  #report(key: FieldKey, message: string): void {
    this.problems.push({ key, message })
  }
}

const tidied = (options: readonly string[]) => [
  ...new Set(options.map((option) => option.trim()).filter((option) => option !== '')),
]

function withoutUndefined<R extends Rule>(rule: R): R {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined)) as R
}
