import { tooManyRequests } from '#errors.ts'

/**
 * Work of each key in the order of arrival, some of it at a time. Unlike a `FairQueue` it takes the same time
 * however much waits, and keys do not wait for each other.
 */
export type WaitingLines = {
  /** The result of `work`. Throws 429 while as much of the key waits as may. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

const RETRY_SECONDS = 1

export function createWaitingLines(settings: { atOnce: number; maxWaiting: number }): WaitingLines {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>()

  const lineOf = (key: string) => {
    const line = lines.get(key) ?? { running: 0, waiting: [] }
    lines.set(key, line)
    return line
  }

  return {
    async run(key, work) {
      const line = lineOf(key)
      if (line.running < settings.atOnce) line.running++
      else if (line.waiting.length >= settings.maxWaiting) throw tooManyRequests(RETRY_SECONDS)
      // Whoever ends hands its place over.
      else await new Promise<void>((start) => line.waiting.push(start))
      try {
        return await work()
      } finally {
        const next = line.waiting.shift()
        if (next !== undefined) next()
        else if (--line.running === 0) lines.delete(key)
      }
    },
  }
}
