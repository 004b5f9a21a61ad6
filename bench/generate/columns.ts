import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import type { SeededRandom } from './seeded-random.ts'
import texts from './texts.json' with { type: 'json' }

/** A column of generated data: its field, and how to make a valid cell of row `row` (from 1). */
export type Column = Field & { make: (random: SeededRandom, row: number) => string }

export const column = (name: string, rule: Rule, required: boolean, make: Column['make']): Column => ({
  name,
  description: '',
  category: '',
  required,
  rule,
  make,
})

export const text = (minLength: number, maxLength: number): Rule => ({ type: 'text', minLength, maxLength })
export const number = (scale: number, minimum: number, maximum: number): Rule => ({
  type: 'number',
  scale,
  minimum,
  maximum,
})
export const day: Rule = { type: 'date', format: 'dd/MM/yyyy' }
export const pattern = (expression: string): Rule => ({ type: 'pattern', pattern: expression })
export const list = (options: readonly string[]): Rule => ({ type: 'list', options })

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** A real calendar day, dd/MM/yyyy, in one of `years` years from `firstYear` on. */
export function date(random: SeededRandom, firstYear: number, years: number): string {
  const month = 1 + random.below(12)
  const day = 1 + random.below(DAYS_IN_MONTH[month - 1])
  return `${twoDigits(day)}/${twoDigits(month)}/${firstYear + random.below(years)}`
}

/** An amount below `bound` with two decimals. */
export function money(random: SeededRandom, bound: number): string {
  const whole = random.below(bound)
  return `${whole}.${twoDigits(random.below(100))}`
}

export function digits(random: SeededRandom, count: number): string {
  let text = ''
  for (let index = 0; index < count; index++) text += random.below(10)
  return text
}

export function words(random: SeededRandom, count: number): string {
  let text = random.oneOf(texts.words)
  for (let index = 1; index < count; index++) text += ` ${random.oneOf(texts.words)}`
  return text
}

export const word = (random: SeededRandom): string => random.oneOf(texts.words)
