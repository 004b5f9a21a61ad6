/** Rule types as integers of the wire. Spec §3. */
export const RuleType = { Text: 0, Number: 1, Date: 2, Pattern: 3, List: 4 } as const
export type RuleType = (typeof RuleType)[keyof typeof RuleType]

/** Rule types as people read them. Spec §3. */
export const ruleTypeNames: Readonly<Record<RuleType, string>> = {
  [RuleType.Text]: 'Text',
  [RuleType.Number]: 'Number',
  [RuleType.Date]: 'Date',
  [RuleType.Pattern]: 'Regular expression',
  [RuleType.List]: 'Item from a list',
}

/** Length in Unicode code points, bounds inclusive; an absent or zero maximum is none. */
export type TextRule = { type: 'text'; minLength?: number; maxLength?: number }
/** `scale` is the most digits after the point (SQL numeric); bounds inclusive, compared as decimals. */
export type NumberRule = { type: 'number'; scale?: number; minimum?: number; maximum?: number }
/** `format` in the notation of `notation/date-format`. */
export type DateRule = { type: 'date'; format: string }
/** The whole value must match `pattern`. */
export type PatternRule = { type: 'pattern'; pattern: string }
/** The value must equal one of `options`, case-sensitively. */
export type ListRule = { type: 'list'; options: readonly string[] }
export type Rule = TextRule | NumberRule | DateRule | PatternRule | ListRule

/** `ruleConfig` of the wire, parsed. Spec §3. */
export type RuleConfig = {
  minLength?: number | null
  maxLength?: number | null
  scale?: number | null
  min?: number | null
  max?: number | null
  format?: string
  regularExpression?: string
  optionSetValues?: readonly string[]
}

/**
 * Wire form → rule. Absent, null and (for a maximum length) zero bounds mean "none". Checking the config is
 * `forms/field`'s business.
 */
export function ruleFromWire(ruleType: RuleType, config: RuleConfig): Rule {
  switch (ruleType) {
    case RuleType.Text:
      return {
        type: 'text',
        ...given('minLength', config.minLength),
        ...given('maxLength', config.maxLength || undefined),
      }
    case RuleType.Number:
      return {
        type: 'number',
        ...given('scale', config.scale),
        ...given('minimum', config.min),
        ...given('maximum', config.max),
      }
    case RuleType.Date:
      return { type: 'date', format: config.format ?? '' }
    case RuleType.Pattern:
      return { type: 'pattern', pattern: config.regularExpression ?? '' }
    case RuleType.List:
      return { type: 'list', options: config.optionSetValues ?? [] }
  }
}

/** Rule → wire form; the inverse of `ruleFromWire` up to bounds that mean "none". */
export function ruleToWire(rule: Rule): { ruleType: RuleType; config: RuleConfig } {
  switch (rule.type) {
    case 'text':
      return {
        ruleType: RuleType.Text,
        config: { ...given('minLength', rule.minLength), ...given('maxLength', rule.maxLength) },
      }
    case 'number':
      return {
        ruleType: RuleType.Number,
        config: {
          ...given('scale', rule.scale),
          ...given('min', rule.minimum),
          ...given('max', rule.maximum),
        },
      }
    case 'date':
      return { ruleType: RuleType.Date, config: { format: rule.format } }
    case 'pattern':
      return { ruleType: RuleType.Pattern, config: { regularExpression: rule.pattern } }
    case 'list':
      return { ruleType: RuleType.List, config: { optionSetValues: [...rule.options] } }
  }
}

function given<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  return value === null || value === undefined ? {} : ({ [key]: value } as { [P in K]?: V })
}
