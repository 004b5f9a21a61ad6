import { tooManyRequests } from '#errors.ts'

/** Work of each key that this server does at once. */
export type AtOnceLimit = {
  /** Returns what to call when the work has ended. Throws 429 while the key has as much as it may. */
  begin(key: string): () => void
}

const RETRY_SECONDS = 5

export function createAtOnceLimit(max: number): AtOnceLimit {
  const running = new Map<string, number>()
  return {
    begin(key) {
      const count = running.get(key) ?? 0
      if (count >= max) throw tooManyRequests(RETRY_SECONDS)
      running.set(key, count + 1)
      return () => {
        const left = (running.get(key) ?? 1) - 1
        if (left === 0) running.delete(key)
        else running.set(key, left)
      }
    },
  }
}
