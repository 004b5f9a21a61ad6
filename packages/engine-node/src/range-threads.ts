import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ValidatedRanges, RangeWorkers } from '@veridict/engine'
import { type RangesTask, takeBy } from '#validate-file-ranges.ts'

/** Threads that judge ranges of one file beside this one. */
export type RangeThreads = RangeWorkers & {
  /** Bytes they have read so far, together. */
  bytesRead(): number
  /** Ends those that still run. */
  end(): void
}

/** What a thread is told when it is started; the task comes as a message. */
type ThreadStart = {
  /** Where compiled code is kept, if anywhere. */
  cacheFolder?: string
}

/** `count` threads. They are started at once, so that they load the engine while this one opens the file. */
export function rangeThreads(
  count: number,
  file: Omit<RangesTask, 'ranges' | 'taken' | 'progress'>,
): RangeThreads {
  const workerData: ThreadStart = { cacheFolder: cacheFolder() }
  const threads = Array.from(
    { length: count },
    () => new Worker(new URL('range-thread.mjs', import.meta.url), { workerData }),
  )
  const judged = Promise.all(threads.map(answerOf)).then(joined)
  // Whoever asked them hears of a failure; where nobody did, it must not end the process.
  judged.catch(() => {})
  const progress = Array.from(
    { length: count },
    () => new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)),
  )
  return {
    count,
    judge: (ranges) => {
      const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      for (const [index, thread] of threads.entries()) {
        thread.postMessage({ ...file, ranges, taken, progress: progress[index] } satisfies RangesTask)
      }
      return { take: takeBy(taken), judged }
    },
    bytesRead: () => progress.reduce((sum, [bytes]) => sum + bytes, 0),
    end: () => {
      for (const thread of threads) void thread.terminate()
    },
  }
}

function answerOf(thread: Worker): Promise<ValidatedRanges> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('messageerror', reject)
    thread.once('error', reject)
    // Behind an answer this says nothing any more.
    thread.once('exit', (code) =>
      reject(new Error(`A thread that judges ranges ended without an answer (exit code ${code}).`)),
    )
  })
}

const joined = (answers: readonly ValidatedRanges[]): ValidatedRanges =>
  new Map(answers.flatMap((answer) => [...answer]))

/** Node keeps compiled code in a folder of its version's name, inside of that which it was told. */
function cacheFolder(): string | undefined {
  const folder = getCompileCacheDir()
  return folder && dirname(folder)
}
