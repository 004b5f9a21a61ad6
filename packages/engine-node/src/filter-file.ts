import type { ByteSource, FilteredRange, FilterTask } from '@veridict/engine'
import { rangeFilter } from '@veridict/engine/filter-range'
import { nodePlatform } from '#node-platform.ts'
import { withFile } from '#with-file.ts'

/** The task of a thread, as plain data. */
export type FileTask = FilterTask & {
  path: string
  /** How many ranges threads have taken, and how many are used: in memory that all threads share. */
  counters: Int32Array
}

const TAKEN = 0
const USED = 1

export type FilterResult = { index: number; range: FilteredRange | null }

/** How many ranges may be taken beyond those used: what is left of them takes memory. */
const MOST_AHEAD = 4

/** Filters the next free range of a file; null when none is left. */
export function freeRangeFilter(
  { counters, ...task }: Omit<FileTask, 'path'>,
  file: ByteSource,
): () => Promise<FilterResult | null> {
  const filter = rangeFilter(task, file, nodePlatform())
  return async () => {
    const index = Atomics.add(counters, TAKEN, 1)
    return index < task.ranges.length ? { index, range: await filter(task.ranges[index]) } : null
  }
}

/** A range is used: a thread that waits may take a further one. */
export function countUsed(counters: Int32Array): void {
  Atomics.add(counters, USED, 1)
  Atomics.notify(counters, USED)
}

/** Whether all ranges are taken that may be, for now. */
export const isFarAhead = (counters: Int32Array, used = Atomics.load(counters, USED)): boolean =>
  Atomics.load(counters, TAKEN) >= used + MOST_AHEAD

function waitUntilUsed(counters: Int32Array): void {
  let used = Atomics.load(counters, USED)
  while (isFarAhead(counters, used)) {
    Atomics.wait(counters, USED, used)
    used = Atomics.load(counters, USED)
  }
}

/** What a thread does: filters ranges until none is left. Throws where the file cannot be opened. */
export const filterFile = (
  { path, ...task }: FileTask,
  post: (result: FilterResult, moved: ArrayBuffer[]) => void,
): Promise<void> =>
  withFile(path, async (file) => {
    const filterNext = freeRangeFilter(task, file)
    for (let result = await filterNext(); result !== null; result = await filterNext()) {
      const { range } = result
      post(result, range === null ? [] : [range.bytes.buffer, range.places.buffer])
      waitUntilUsed(task.counters)
    }
  })
