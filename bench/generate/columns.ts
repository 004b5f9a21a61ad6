import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import type { SeededRandom } from './seeded-random.ts'

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
