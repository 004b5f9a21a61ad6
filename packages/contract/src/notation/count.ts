/**
 * 1204 → `1,204`. For a count, a whole number of at least 0. Numbers of rows, lines and versions, and values
 * of cells have no comma, as in a spreadsheet. See docs/BEHAVIOUR.md#numbers.
 */
export const writeCount = (count: number): string =>
  count < 1000 ? String(count) : String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** `1 row`, `1,204 rows`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${writeCount(count)} ${count === 1 ? one : many}`

/** `A, B and 3 more`: the first `most` names. */
export const firstNames = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(', ') +
  (names.length > most ? ` and ${writeCount(names.length - most)} more` : '')
