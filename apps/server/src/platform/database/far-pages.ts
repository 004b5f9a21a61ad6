import { sharedView } from '#platform/database/caller-view.ts'
import { entryOf } from '#platform/database/shared-reads.ts'
import type { Db } from '#platform/database/tables.ts'

/**
 * In the order of `Key`. Rows are added at its beginning only and removed at its end only, so a row's later
 * place is its old one plus the number of new rows.
 */
export type GrowingList<Key> = {
  /** The newest row that no transaction can still add one after. */
  findStart(): Promise<Key | undefined>
  countBefore(key: Key): Promise<number>
  /** The row `count` places after this one. */
  skip(key: Key, count: number): Promise<Key | undefined>
}

/** From where to read, and how many rows to leave out from there. Without `from`, from the beginning. */
export type Place<Key> = { from?: Key | undefined; offset: number }

/** Rows after so many others are found by marks: each thousand of them takes 0.1 ms or more to pass over. */
export const FAR_ROWS = 10_000

/** Rows between two marks; passed over in 5 ms. */
const STEP = 50_000
const MAX_LISTS = 100
/** Marks are found again after a while, because the database may be restored under a running portal. */
const KEPT_MILLISECONDS = 10 * 60_000

/** Every `STEP`-th row of a list, from its start as it was then. */
type Marks = { madeAt: number; keys: readonly unknown[] }

const marksOfLists = new WeakMap<Db, Map<string, Marks>>()

/** Starts at the nearest row of an earlier call: the first far page takes 0.1 ms per thousand rows. */
export async function findPlace<Key>(
  db: Db,
  name: string,
  offset: number,
  list: GrowingList<Key>,
): Promise<Place<Key>> {
  if (offset < FAR_ROWS) return { offset }
  const known = entryOf(marksOfLists, sharedView(db), () => new Map<string, Marks>())
  const marks = await usableMarks(known.get(name), list)
  if (marks === undefined) return { offset }
  const keys = marks.keys as Key[]
  const place = offset - (await list.countBefore(keys[0]!))
  if (place < 0) return { offset }
  const reached = await extend(keys, Math.floor(place / STEP), list)
  // The oldest are first: those are left out that nobody used for the longest time.
  known.delete(name)
  known.set(name, { ...marks, keys: reached })
  if (known.size > MAX_LISTS) known.delete(known.keys().next().value!)
  const mark = Math.min(Math.floor(place / STEP), reached.length - 1)
  return { from: reached[mark], offset: place - mark * STEP }
}

async function usableMarks<Key>(
  known: Marks | undefined,
  list: GrowingList<Key>,
): Promise<Marks | undefined> {
  const madeAt = performance.now()
  if (known !== undefined && madeAt - known.madeAt < KEPT_MILLISECONDS) return known
  const start = await list.findStart()
  return start === undefined ? undefined : { madeAt, keys: [start] }
}

/** The keys up to the number `last`, or to the end of the list. */
async function extend<Key>(keys: readonly Key[], last: number, list: GrowingList<Key>): Promise<Key[]> {
  const reached = [...keys]
  while (reached.length <= last) {
    const next = await list.skip(reached.at(-1)!, STEP)
    if (next === undefined) break
    reached.push(next)
  }
  return reached
}
