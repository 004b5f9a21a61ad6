import { tooManyRequests } from '#errors.ts'

/** Limits how much work of one key this server does at once, and of all keys together. */
export type AtOnceLimit = {
  /** Returns what to call when the work has ended, also repeatedly. Throws 429 while no more may begin. */
  begin(key: string): () => void
  /** Like `begin`, but returns null instead of throwing 429. */
  tryBegin(key: string): (() => void) | null
}

const RETRY_SECONDS = 5

export function createAtOnceLimit(max: number, { ofAll = Infinity } = {}): AtOnceLimit {
  const running = new Map<string, number>()
  let all = 0
  const tryBegin = (key: string) => {
    const count = running.get(key) ?? 0
    if (count >= max || all >= ofAll) return null
    running.set(key, count + 1)
    all++
    let isRunning = true
    return () => {
      if (!isRunning) return
      isRunning = false
      all--
      const left = (running.get(key) ?? 1) - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
    }
  }
  return {
    tryBegin,
    begin(key) {
      const end = tryBegin(key)
      if (end === null) throw tooManyRequests(RETRY_SECONDS)
      return end
    },
  }
}
