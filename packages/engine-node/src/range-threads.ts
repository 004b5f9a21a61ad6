import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { JudgedRanges, Others } from '@veridict/engine'
import { type RangesTask, takerOf } from '#judge-ranges-of.ts'

/** Threads that judge ranges of one file beside this one. */
export type RangeThreads = Others & {
  /** Bytes they have read so far, together. */
  bytesRead(): number
  /** Ends those that still run. */
  end(): void
}

/** `count` threads, started when there are ranges to judge. */
export function rangeThreads(count: number, file: Omit<RangesTask, 'ranges' | 'taken' | 'progress' | 'cacheFolder'>): RangeThreads {
  const threads: Worker[] = []
  const progress = Array.from({ length: count }, () => new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)))
  return {
    count,
    judge: (ranges) => {
      const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      for (const read of progress) {
        const task: RangesTask = { ...file, ranges, taken, progress: read, cacheFolder: cacheFolder() }
        threads.push(new Worker(new URL('range-thread.mjs', import.meta.url), { workerData: task }))
      }
      return { take: takerOf(taken), judged: Promise.all(threads.map(answerOf)).then(joined) }
    },
    bytesRead: () => progress.reduce((sum, [bytes]) => sum + bytes, 0),
    end: () => {
      for (const thread of threads) void thread.terminate()
    },
  }
}

function answerOf(thread: Worker): Promise<JudgedRanges> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('messageerror', reject)
    thread.once('error', reject)
    // Behind an answer this says nothing any more.
    thread.once('exit', (code) => reject(new Error(`A thread that judges ranges ended without an answer (exit code ${code}).`)))
  })
}

const joined = (answers: readonly JudgedRanges[]): JudgedRanges => new Map(answers.flatMap((answer) => [...answer]))

/** Node keeps compiled code in a folder of its version's name, inside of that which it was told. */
function cacheFolder(): string | undefined {
  const folder = getCompileCacheDir()
  return folder && dirname(folder)
}
