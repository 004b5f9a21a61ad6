import type { SeededRandom } from './seeded-random.ts'

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
  let text = random.oneOf(WORDS)
  for (let index = 1; index < count; index++) text += ` ${random.oneOf(WORDS)}`
  return text
}

export const word = (random: SeededRandom): string => random.oneOf(WORDS)

const WORDS = (
  'claim review approved patient visit follow up reference invoice provider network code adjusted ' +
  'duplicate check received by mail phone contact left message pending documents requested second notice ' +
  'sent copay deductible applied per contract rate table manual override see attachment'
).split(' ')
