import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { ByteSource, FilteredRange, FilterThreads } from '@veridict/engine'
import { type FileTask, type FilterResult, countUsed, freeRangeFilter, isFarAhead } from '#filter-file.ts'

/**
 * Starts `count` threads at once: they load code while this one reads the header of `file`. `end` ends those
 * that still run. If one fails, the caller reads what is left.
 */
export function filterThreads(
  count: number,
  path: string,
  file: ByteSource,
): FilterThreads & { end(): void } {
  // The task follows as a message.
  const workerData = { cacheFolder: getCompileCacheDir() }
  const threads = Array.from(
    { length: count },
    () => new Worker(new URL('filter-thread.mjs', import.meta.url), { workerData }),
  )
  let hasFailed = false
  const failed = Promise.race(threads.map(failureOf)).then(() => void (hasFailed = true))
  return {
    filter(task) {
      const counters = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
      const filterNext = freeRangeFilter({ ...task, counters }, file)
      const results = new Map<number, FilteredRange | null>()
      let wake = () => {}
      const add = (result: FilterResult | null) => {
        if (result !== null) results.set(result.index, result.range)
        wake()
      }
      for (const thread of threads) {
        thread.on('message', add)
        thread.postMessage({ ...task, path, counters } satisfies FileTask)
      }
      return async (index) => {
        // This thread filters, too, where it would only wait.
        while (!hasFailed && !results.has(index)) {
          const result = isFarAhead(counters) ? null : await filterNext()
          const message = new Promise<void>((resolve) => (wake = resolve))
          if (result !== null) add(result)
          await Promise.race([failed, result === null ? message : turn()])
        }
        const range = results.get(index) ?? null
        results.delete(index)
        countUsed(counters)
        return range
      }
    },
    end: () => {
      for (const thread of threads) void thread.terminate()
    },
  }
}

/** After it, the messages that threads have sent meanwhile are here. */
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** Resolves if a thread fails. Its last message is null: the code of its exit is not always an error. */
const failureOf = (thread: Worker): Promise<void> =>
  new Promise((resolve) => {
    let isFinished = false
    thread.on('message', (result: FilterResult | null) => (isFinished = result === null))
    thread.once('messageerror', () => resolve())
    // Without a listener, an error would end the process; an exit follows it.
    thread.once('error', () => {})
    thread.once('exit', () => {
      if (!isFinished) resolve()
    })
  })
