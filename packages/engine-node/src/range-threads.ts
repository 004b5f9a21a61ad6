import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { JudgedRange, Others } from '@veridict/engine'
import type { RangeTask } from '#judge-range-of.ts'

/** Threads that judge ranges of one file beside this one. */
export type RangeThreads = Others & {
  /** Bytes they have read so far, together. */
  bytesRead(): number
  /** Ends those that still run. */
  end(): void
}

/** `count` threads at most; each is started when a range is given to it. */
export function rangeThreads(count: number, file: Omit<RangeTask, 'range' | 'progress' | 'cacheFolder'>): RangeThreads {
  const threads: Worker[] = []
  const progress: Float64Array[] = []
  return {
    count,
    judge: (range) => {
      const read = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
      const task: RangeTask = { ...file, range, progress: read, cacheFolder: cacheFolder() }
      const thread = new Worker(new URL('range-thread.mjs', import.meta.url), { workerData: task })
      threads.push(thread)
      progress.push(read)
      return answerOf(thread)
    },
    bytesRead: () => progress.reduce((sum, [bytes]) => sum + bytes, 0),
    end: () => {
      for (const thread of threads) void thread.terminate()
    },
  }
}

function answerOf(thread: Worker): Promise<JudgedRange | null> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
}

/** Node keeps compiled code in a folder of its version's name, inside of that which it was told. */
function cacheFolder(): string | undefined {
  const folder = getCompileCacheDir()
  return folder && dirname(folder)
}
