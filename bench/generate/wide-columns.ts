import { date, digits, money, word, words } from './cell-makers.ts'
import { STATUSES } from './claims-columns.ts'
import { type Column, dateColumn, listColumn, numberColumn, patternColumn, textColumn } from './columns.ts'

const COLUMNS = 200

/** The five types of rule in turn; every third column may be empty, and a quarter of its cells is. */
export const wideColumns: readonly Column[] = Array.from({ length: COLUMNS }, (_, index) => {
  const name = `Col ${index + 1}`
  const required = index % 3 !== 0
  const filled = (make: Column['make']): Column['make'] =>
    required ? make : (random, row) => (random.below(4) ? make(random, row) : '')
  switch (index % 5) {
    case 0: {
      const text = filled((random) =>
        random.below(20) ? words(random, 1 + random.below(3)) : `é, "q" ${word(random)}`,
      )
      return textColumn(name, 1, 40, required, text)
    }
    case 1: {
      const bounds = { scale: 2, minimum: -1000, maximum: 100_000 }
      return numberColumn(
        name,
        bounds,
        required,
        filled((random) => money(random, 9999)),
      )
    }
    case 2:
      return dateColumn(
        name,
        required,
        filled((random) => date(random, 1990, 35)),
      )
    case 3: {
      const code = filled((random) => `${random.oneOf(['AB', 'CD', 'XZ'])}-${digits(random, 4)}`)
      return patternColumn(name, '^[A-Z]{2}-[0-9]{4}$', required, code)
    }
    default:
      return listColumn(
        name,
        STATUSES,
        required,
        filled((random) => random.oneOf(STATUSES)),
      )
  }
})
