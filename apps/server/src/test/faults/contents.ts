import { csvOfTwoRows } from '#test/submission-fixture.ts'

export const small = csvOfTwoRows
/** More than 1 MB: a job of its own stores it. */
export const passing = `Name,Amount\n${'Ada Lovelace of Marylebone,1.50\n'.repeat(40_000)}`
/** More rows make its validation take longer. */
export const failingOf = (rows: number) => `Name,Amount\n${'Ada Lovelace of Marylebone,one\n'.repeat(rows)}`
