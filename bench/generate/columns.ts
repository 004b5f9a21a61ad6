import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import type { SeededRandom } from './seeded-random.ts'

/** A column of generated data: its field, and how to make a valid cell of row `row` (from 1). */
export type Column = Field & { make: (random: SeededRandom, row: number) => string }

function column(name: string, required: boolean, rule: Rule, make: Column['make']): Column {
  return { name, description: '', category: '', required, rule, make }
}

type Maker = Column['make']

export const textColumn = (
  name: string,
  minLength: number,
  maxLength: number,
  required: boolean,
  make: Maker,
): Column => column(name, required, { type: 'text', minLength, maxLength }, make)

export const numberColumn = (
  name: string,
  bounds: { scale: number; minimum: number; maximum: number },
  required: boolean,
  make: Maker,
): Column => column(name, required, { type: 'number', ...bounds }, make)

export const dateColumn = (name: string, required: boolean, make: Maker): Column =>
  column(name, required, { type: 'date', format: 'dd/MM/yyyy' }, make)

export const patternColumn = (name: string, pattern: string, required: boolean, make: Maker): Column =>
  column(name, required, { type: 'pattern', pattern }, make)

export const listColumn = (
  name: string,
  options: readonly string[],
  required: boolean,
  make: Maker,
): Column => column(name, required, { type: 'list', options }, make)
