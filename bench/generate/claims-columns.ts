import { date, digits, money, words } from './cell-makers.ts'
import { type Column, column, day, list, number, pattern, text } from './columns.ts'
import type { SeededRandom } from './seeded-random.ts'

export const STATUSES = (
  'Open|Closed|Pending|Denied|Paid|Partially paid|Under review|Appealed|Reopened|Withdrawn|' +
  'Cancelled|Submitted|Received|Adjudicated|Suspended|Duplicate|Escalated|On hold|Archived|Returned'
).split('|')

/** Some have letters of two or three bytes, none beyond the BMP: there UTF-16 units are not characters. */
const FIRST_NAMES = (
  'Anna|José|Marta|Liam|Noah|Emma|Zoë|Björn|Olga|Ivan|Chloé|Mateo|Sofia|Lucas|Mia|' +
  'Ethan|Łukasz|Nora|Peter|Grace|Hugo|Alice|Omar|Fatima|Chen|美咲|Ravi|Priya|Igor|Clara'
).split('|')

/** Some need quotes in a CSV file. */
const LAST_NAMES = (
  "Smith|Johnson|O'Neil|García|Müller|Rossi|Novák|Kowalski|Silva|Dubois|Andersson|Ivanov|Tanaka|" +
  'Patel|Brown|Wilson|Taylor|Jones|de la Cruz|van den Berg|Smith, Jr.|Robert "Bob" Lee|Brown, Sr.|' +
  'Hernández|Nguyen|Walker|Young|Wright|King|Scott'
).split('|')

const amount = number(2, 0, 100_000)

/** Medical claims: 14 columns with every type of rule. */
export const claimsColumns: readonly Column[] = [
  column('Claim Id', pattern('^CLM-[0-9]{8}$'), true, (_, row) => `CLM-${10_000_000 + row}`),
  column('Policy No', text(8, 12), true, (random) => `P${digits(random, 7 + random.below(4))}`),
  column('Member Id', number(0, 1, 99_999_999), true, (random) => String(1 + random.below(99_999_999))),
  column('First Name', text(1, 40), true, (random) => random.oneOf(FIRST_NAMES)),
  column('Last Name', text(1, 60), true, (random) => random.oneOf(LAST_NAMES)),
  column('Birth Date', day, true, (random) => date(random, 1935, 75)),
  column('Service Date', day, true, (random) => date(random, 2019, 6)),
  column('Paid Date', day, false, (random) => (random.below(5) ? date(random, 2020, 6) : '')),
  column('Billed Amount', amount, true, (random) => money(random, 20_000)),
  column('Paid Amount', amount, false, (random) => (random.below(4) ? money(random, 15_000) : '')),
  column('Phone', pattern('^\\+?[0-9]{7,15}$'), false, (random) => (random.below(6) ? phone(random) : '')),
  column('Status', list(STATUSES), true, (random) => random.oneOf(STATUSES)),
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
