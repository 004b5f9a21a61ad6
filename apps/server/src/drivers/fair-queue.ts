import { tooManyRequests } from '#errors.ts'

/**
 * Work that takes turns by key: `concurrency` at a time, one of each key in turn, so that a flood of one key
 * delays the others by a turn each and not by its length.
 */
export type FairQueue = {
  /**
   * The result of `work`. Throws 429 when too many wait: it is then the key with the most that loses its
   * newest.
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

type Waiting = { start(): void; refuse(): void }

/** Seconds until a full queue has certainly been worked off. */
const RETRY_SECONDS = 2

export function createFairQueue(settings: { concurrency: number; maxWaiting: number }): FairQueue {
  /** Who waits, by key; the keys in the order of their turns. */
  const lines = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0

  const startNext = () => {
    const [turn] = lines
    if (turn === undefined || running >= settings.concurrency) return
    const [key, line] = turn
    const next = line.shift()
    lines.delete(key)
    if (line.length > 0) lines.set(key, line)
    waiting--
    next?.start()
  }

  /** Refuses the newest of the longest line; of equal ones, of the one whose turn is last. */
  const refuseOne = () => {
    const [key, line] = [...lines].reduce((longest, other) =>
      other[1].length >= longest[1].length ? other : longest,
    )
    const newest = line.pop()
    if (line.length === 0) lines.delete(key)
    waiting--
    newest?.refuse()
  }

  const turnOf = (key: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = () => {
        running++
        resolve()
      }
      if (running < settings.concurrency) return start()
      const line = lines.get(key) ?? []
      line.push({ start, refuse: () => reject(tooManyRequests(RETRY_SECONDS)) })
      lines.set(key, line)
      waiting++
      if (waiting > settings.maxWaiting) refuseOne()
    })

  return {
    async run(key, work) {
      await turnOf(key)
      try {
        return await work()
      } finally {
        running--
        startNext()
      }
    },
  }
}
