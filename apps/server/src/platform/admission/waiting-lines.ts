import { tooManyRequests } from '#errors.ts'

/**
 * Work of each key in the order of arrival, some of it at a time. Unlike a `FairQueue` it takes the same time
 * however much waits, and keys do not wait for each other.
 */
export type WaitingLines = {
  /**
   * Waits for the turn of some work; returns what to call when it has ended, once or more often. Throws 429
   * while as much of the key waits as may, and for work that is `aborted` before its turn. `bytes`: the
   * memory that it may hold while it waits.
   */
  enter(key: string, options?: { bytes?: number; aborted?: AbortSignal }): Promise<() => void>
}

const RETRY_SECONDS = 1

export function createWaitingLines(settings: {
  atOnce: number
  maxWaiting: number
  maxWaitingBytes: number
}): WaitingLines {
  const lines = new Map<string, { running: number; waiting: Set<() => void>; bytes: number }>()

  const lineOf = (key: string) => {
    const line = lines.get(key) ?? { running: 0, waiting: new Set(), bytes: 0 }
    lines.set(key, line)
    return line
  }

  /** Ends when it is the turn of this work. */
  async function wait(line: ReturnType<typeof lineOf>, bytes: number, aborted: AbortSignal | undefined) {
    const isFull = line.waiting.size >= settings.maxWaiting || line.bytes + bytes > settings.maxWaitingBytes
    if (isFull || aborted?.aborted) throw tooManyRequests(RETRY_SECONDS)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      line.waiting.delete(resolve)
      reject(tooManyRequests(RETRY_SECONDS))
    }
    line.waiting.add(resolve)
    line.bytes += bytes
    aborted?.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      line.bytes -= bytes
      aborted?.removeEventListener('abort', leave)
    }
  }

  const leave = (key: string, line: ReturnType<typeof lineOf>) => {
    const [next] = line.waiting
    if (next !== undefined) {
      line.waiting.delete(next)
      next()
    } else if (--line.running === 0) lines.delete(key)
  }

  return {
    async enter(key, { bytes = 0, aborted } = {}) {
      const line = lineOf(key)
      if (line.running < settings.atOnce) line.running++
      // A call that ends passes its place to the next one, so `running` stays as it is.
      else await wait(line, bytes, aborted)
      let hasEnded = false
      return () => {
        if (!hasEnded) leave(key, line)
        hasEnded = true
      }
    },
  }
}
