import { date, digits, money, word, words } from './cell-makers.ts'
import { STATUSES } from './claims-columns.ts'
import { type Column, column, day, list, number, pattern, text } from './columns.ts'

const COLUMNS = 200

const rules: readonly (readonly [Column['rule'], Column['make']])[] = [
  [
    text(1, 40),
    (random) => (random.below(20) ? words(random, 1 + random.below(3)) : `é, "q" ${word(random)}`),
  ],
  [number(2, -1000, 100_000), (random) => money(random, 9999)],
  [day, (random) => date(random, 1990, 35)],
  [pattern('^[A-Z]{2}-[0-9]{4}$'), (random) => `${random.oneOf(['AB', 'CD', 'XZ'])}-${digits(random, 4)}`],
  [list(STATUSES), (random) => random.oneOf(STATUSES)],
]

/** The five types of rule in turn; every third column may be empty, and a quarter of its cells is. */
export const wideColumns: readonly Column[] = Array.from({ length: COLUMNS }, (_, index) => {
  const name = `Col ${index + 1}`
  const required = index % 3 !== 0
  const filled = (make: Column['make']): Column['make'] =>
    required ? make : (random, row) => (random.below(4) ? make(random, row) : '')
  const [rule, make] = rules[index % rules.length]
  return column(name, rule, required, filled(make))
})
