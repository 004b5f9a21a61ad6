import { tooManyRequests } from '#errors.ts'

/**
 * Work that takes turns by key: `concurrency` at a time, of which at most `perKey` are of one key and
 * `perGroup` of one group, so that a flood of one key delays each other key by one turn only. Groups take
 * turns, and in each turn of a group, its keys do.
 */
export type FairQueue = {
  /**
   * Runs `work` and returns its result. When too many wait, one `run` throws 429: the newest of the key with
   * the most waiting work, in the group with the most.
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

type Settings = {
  concurrency: number
  perKey?: number
  perGroup?: number
  maxWaiting: number
  /** Seconds after which a refused caller should try again. */
  retrySeconds?: number
  groupOf?: (key: string) => string
}
type Waiting = { key: string; group: string; start(): void; refuse(): void }

/** A full queue of short work is empty after this time. */
const RETRY_SECONDS = 2

export function createFairQueue({
  concurrency,
  perKey = concurrency,
  perGroup = concurrency,
  maxWaiting,
  retrySeconds = RETRY_SECONDS,
  groupOf = (key) => key,
}: Settings): FairQueue {
  /** In the order of arrival. */
  const waiting: Waiting[] = []
  const groups = createTurns()
  const keys = createTurns()
  const running: { key: string; group: string }[] = []
  const mayStart = ({ key, group }: { key: string; group: string }) =>
    running.length < concurrency &&
    running.filter((item) => item.key === key).length < perKey &&
    running.filter((item) => item.group === group).length < perGroup

  const take = (item: Waiting) => {
    waiting.splice(waiting.indexOf(item), 1)
    if (!waiting.some(({ group }) => group === item.group)) groups.forget(item.group)
    if (!waiting.some(({ key }) => key === item.key)) keys.forget(item.key)
    return item
  }

  const startNext = () => {
    const ready = waiting.filter(mayStart)
    const group = groups.next((name) => ready.some((item) => item.group === name))
    const key = keys.next((name) => ready.some((item) => item.key === name && item.group === group))
    const next = ready.find((item) => item.key === key)
    if (next === undefined || group === undefined || key === undefined) return
    groups.serve(group)
    keys.serve(key)
    take(next).start()
  }

  const refuseOne = () => {
    const ofGroup = longest(waiting, ({ group }) => group, groups.order())
    const newest = longest(ofGroup, ({ key }) => key, keys.order()).at(-1)
    if (newest !== undefined) take(newest).refuse()
  }

  /** Waits for a turn; returns the function that ends it. */
  const turnOf = (key: string): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const group = groupOf(key)
      const item = { key, group }
      const start = () => {
        running.push(item)
        resolve(() => void running.splice(running.indexOf(item), 1))
      }
      if (mayStart(item)) return start()
      waiting.push({ key, group, start, refuse: () => reject(tooManyRequests(retrySeconds)) })
      groups.add(group)
      keys.add(key)
      if (waiting.length > maxWaiting) refuseOne()
    })

  return {
    async run(key, work) {
      const end = await turnOf(key)
      try {
        return await work()
      } finally {
        end()
        startNext()
      }
    },
  }
}

/** Names in the order of their turns. A new name is last, and so is one that just had its turn. */
function createTurns() {
  const names = new Set<string>()
  return {
    add: (name: string) => void names.add(name),
    forget: (name: string) => void names.delete(name),
    next: (isWanted: (name: string) => boolean) => [...names].find(isWanted),
    serve(name: string) {
      names.delete(name)
      names.add(name)
    },
    order: () => [...names],
  }
}

/** The items of the name with the most of them; of several such names, of the one whose turn is last. */
function longest(waiting: Waiting[], nameIn: (item: Waiting) => string, order: string[]): Waiting[] {
  const lines = Map.groupBy(waiting, nameIn)
  return order.reduce<Waiting[]>((most, name) => {
    const line = lines.get(name) ?? []
    return line.length >= most.length ? line : most
  }, [])
}
