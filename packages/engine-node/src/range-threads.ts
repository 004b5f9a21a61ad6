import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ValidatedRanges, RangeWorkers } from '@veridict/engine'
import { type RangesTask, takeFrom } from '#validate-file-ranges.ts'

/** Threads that validate ranges of one file beside this one. */
export type RangeThreads = RangeWorkers & {
  /** Bytes they have read so far, together. */
  bytesRead(): number
  /** Ends those that still run. */
  end(): void
}

/** What a thread gets when it starts; the task follows as a message. */
type ThreadStart = {
  /** The folder of Node's compile cache, where there is one. */
  cacheFolder?: string
}

/** Starts `count` threads at once, so that they load the engine while this one opens the file. */
export function rangeThreads(
  count: number,
  file: Omit<RangesTask, 'ranges' | 'taken' | 'progress'>,
): RangeThreads {
  const workerData: ThreadStart = { cacheFolder: cacheFolder() }
  const threads = Array.from(
    { length: count },
    () => new Worker(new URL('range-thread.mjs', import.meta.url), { workerData }),
  )
  const validated = Promise.all(threads.map(resultOf)).then(merged)
  // The caller of `validate` gets a failure. Before that call it must not end the process.
  validated.catch(() => {})
  const progress = Array.from(
    { length: count },
    () => new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)),
  )
  return {
    count,
    validate: (ranges) => {
      const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      for (const [index, thread] of threads.entries()) {
        thread.postMessage({ ...file, ranges, taken, progress: progress[index] } satisfies RangesTask)
      }
      return { take: takeFrom(taken), validated }
    },
    bytesRead: () => progress.reduce((sum, [bytes]) => sum + bytes, 0),
    end: () => {
      for (const thread of threads) void thread.terminate()
    },
  }
}

function resultOf(thread: Worker): Promise<ValidatedRanges> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('messageerror', reject)
    thread.once('error', reject)
    // After the result this has no effect.
    thread.once('exit', (code) =>
      reject(new Error(`A thread that validates ranges ended without a result (exit code ${code}).`)),
    )
  })
}

const merged = (results: readonly ValidatedRanges[]): ValidatedRanges =>
  new Map(results.flatMap((result) => [...result]))

/** Node's compile cache is a folder named after its version, inside the folder that was set. */
function cacheFolder(): string | undefined {
  const folder = getCompileCacheDir()
  return folder && dirname(folder)
}
