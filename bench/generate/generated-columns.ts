import {
  type Column,
  column,
  date,
  day,
  digits,
  list,
  money,
  number,
  pattern,
  text,
  word,
  words,
} from './columns.ts'
import type { SeededRandom } from './seeded-random.ts'
import texts from './texts.json' with { type: 'json' }

/**
 * Some first names have letters of two or three bytes, none beyond the BMP: there UTF-16 units are not
 * characters. Some last names need quotes in a CSV file.
 */
const { statuses, firstNames, lastNames } = texts

const amount = number(2, 0, 100_000)

/** Medical claims: 14 columns with every type of rule. */
export const claimsColumns: readonly Column[] = [
  column('Claim Id', pattern('^CLM-[0-9]{8}$'), true, (_, row) => `CLM-${10_000_000 + row}`),
  column('Policy No', text(8, 12), true, (random) => `P${digits(random, 7 + random.below(4))}`),
  column('Member Id', number(0, 1, 99_999_999), true, (random) => String(1 + random.below(99_999_999))),
  column('First Name', text(1, 40), true, (random) => random.oneOf(firstNames)),
  column('Last Name', text(1, 60), true, (random) => random.oneOf(lastNames)),
  column('Birth Date', day, true, (random) => date(random, 1935, 75)),
  column('Service Date', day, true, (random) => date(random, 2019, 6)),
  column('Paid Date', day, false, (random) => (random.below(5) ? date(random, 2020, 6) : '')),
  column('Billed Amount', amount, true, (random) => money(random, 20_000)),
  column('Paid Amount', amount, false, (random) => (random.below(4) ? money(random, 15_000) : '')),
  column('Phone', pattern('^\\+?[0-9]{7,15}$'), false, (random) => (random.below(6) ? phone(random) : '')),
  column('Status', list(statuses), true, (random) => random.oneOf(statuses)),
  column('Units', number(0, 1, 999), true, (random) => String(1 + random.below(60))),
  column('Notes', text(0, 200), false, note),
]

function phone(random: SeededRandom): string {
  const prefix = random.below(2) ? '+' : ''
  const first = 1 + random.below(9)
  return prefix + first + digits(random, 8 + random.below(4))
}

/** Blank, plain, with a comma, with quotes, over two lines, or with letters beyond ASCII. */
function note(random: SeededRandom): string {
  const kind = random.below(10)
  if (kind < 2) return ''
  const plain = words(random, 3 + random.below(9))
  if (kind === 9) return `"${plain}", ${words(random, 2)}`
  if (kind === 8) return `${plain}, ${words(random, 2)}`
  if (kind === 7) return random.below(5) === 0 ? `${plain}\n${words(random, 2)}` : plain
  return kind === 6 ? `${plain} – é` : plain
}

const COLUMNS = 200

const rules: readonly (readonly [Column['rule'], Column['make']])[] = [
  [
    text(1, 40),
    (random) => (random.below(20) ? words(random, 1 + random.below(3)) : `é, "q" ${word(random)}`),
  ],
  [number(2, -1000, 100_000), (random) => money(random, 9999)],
  [day, (random) => date(random, 1990, 35)],
  [pattern('^[A-Z]{2}-[0-9]{4}$'), (random) => `${random.oneOf(['AB', 'CD', 'XZ'])}-${digits(random, 4)}`],
  [list(statuses), (random) => random.oneOf(statuses)],
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
