/** Length in Unicode code points, bounds inclusive. `checkDigit`: what the last digits of the value prove. */
export type TextRule = { type: 'text'; minLength?: number; maxLength?: number; checkDigit?: CheckDigitScheme }
/** `scale` is the most digits after the point (SQL numeric); bounds inclusive, compared as decimals. */
export type NumberRule = { type: 'number'; scale?: number; minimum?: number; maximum?: number }
/** `format` in the notation of `notation/date-format`. */
export type DateRule = { type: 'date'; format: string }
/** The whole value must match `pattern`. */
export type PatternRule = { type: 'pattern'; pattern: string; checkDigit?: CheckDigitScheme }
/** Case-sensitive. With a `separator` the cell holds `minValues` to `maxValues` values. */
export type ListRule = {
  type: 'list'
  options: readonly string[]
  separator?: string
  minValues?: number
  maxValues?: number
}

/** In the words of Table Schema. `api/wire-field` has the words of calls and of the database. */
export type Rule = TextRule | NumberRule | DateRule | PatternRule | ListRule

export type RuleType = Rule['type']
export type RuleOf<T extends RuleType> = Extract<Rule, { type: T }>
type SettingOf<R extends Rule> = R extends Rule ? Exclude<keyof R, 'type'> : never
/** A setting of any rule type. Two types share a setting only where it means the same. */
export type RuleSetting = SettingOf<Rule>

type ValueOf<S extends RuleSetting, R extends Rule = Rule> = R extends Rule
  ? S extends keyof R
    ? R[S]
    : never
  : never
/** The settings of any rule. `type` is here so that a rule without settings fits too. */
export type SettingValues = { readonly type?: RuleType } & { readonly [S in RuleSetting]?: ValueOf<S> }

/** Schemes of check digits, as people read them. */
export const checkDigitNames = {
  luhn: 'Luhn',
  npi: 'NPI',
  siren: 'SIREN',
  siret: 'SIRET',
  isbn13: 'ISBN-13',
  ean: 'EAN',
  lei: 'LEI',
  uli: 'ULI',
  iban: 'IBAN',
  vin: 'VIN',
  nhs: 'NHS number',
  aba: 'ABA routing number',
} as const
export type CheckDigitScheme = keyof typeof checkDigitNames
export const checkDigitSchemes = Object.keys(checkDigitNames) as readonly CheckDigitScheme[]

/** Rule types as people read them, in the order in which they are offered. */
export const ruleTypeNames: Readonly<Record<RuleType, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  pattern: 'Regular expression',
  list: 'Item from a list',
}
export const ruleTypes = Object.keys(ruleTypeNames) as readonly RuleType[]

/** The settings of each type, in the order in which forms and workbooks show them. */
export const ruleSettings: { readonly [T in RuleType]: readonly SettingOf<RuleOf<T>>[] } = {
  text: ['minLength', 'maxLength', 'checkDigit'],
  number: ['scale', 'minimum', 'maximum'],
  date: ['format'],
  pattern: ['pattern', 'checkDigit'],
  list: ['options', 'separator', 'minValues', 'maxValues'],
}
