import { createHash } from 'node:crypto'
import type { Random } from '#test/fuzz/random.ts'

/**
 * Files of one kind differ only in a valid cell of the last row: so all have the same outcome, and yet the
 * bytes of two uploads are never equal.
 */
const kinds = {
  /** One job validates and stores it. */
  small: { rows: (count: number) => good(count), count: 25 },
  /** More than a mebibyte: a job of its own stores it. */
  large: { rows: (count: number) => good(count), count: 40_000 },
  /** Some errors. */
  faulty: { rows: (count: number) => faulty(count), count: 25 },
  /** So many errors that their reports are stored in several parts. */
  veryFaulty: { rows: (count: number) => faulty(count), count: 6_000 },
  /** A file problem, and no rows. */
  wrongColumns: { rows: () => 'Colour\n', count: 0 },
} as const
export type FileKind = keyof typeof kinds
export const fileKinds = Object.keys(kinds) as FileKind[]

const good = (count: number) => `Name,Amount\n${'Ada Lovelace of Marylebone,1.50\n'.repeat(count)}`
const faulty = (count: number) => `Name,Amount\n${'Ada Lovelace of Marylebone,1.50\n,one\n'.repeat(count)}`

export type TestFile = { kind: FileKind; bytes: Buffer; sha256: string }

export function makeFile(kind: FileKind, random: Random): TestFile {
  const { rows, count } = kinds[kind]
  const bytes = Buffer.from(`${rows(count)}Grace Hopper,${random.below(2 ** 31)}\n`)
  return { kind, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}
