import { csvOfTwoRows } from '#test/submission-fixture.ts'

export const small = csvOfTwoRows
/** Over 1 MB, so it is stored by a job of its own. */
export const passing = `Name,Amount\n${'Ada Lovelace of Marylebone,1.50\n'.repeat(40_000)}`
/** As long as its validation is to take. */
export const failingOf = (rows: number) => `Name,Amount\n${'Ada Lovelace of Marylebone,one\n'.repeat(rows)}`
