import { sharedView } from '#platform/database/caller-view.ts'
import type { Db } from '#platform/database/tables.ts'

/**
 * A thousand pages that come back after a deployment read one list. Each caller gets a read that began after
 * its call: never older than what the caller knows, and a session that ended before has ended in it.
 */

type Shared = { running: Promise<unknown>; next: Promise<unknown> | null }

const sharedReads = new WeakMap<Db, Map<string, Shared>>()

/** While one of this database and key runs, callers share one next read. They must not change the result. */
export function shareRead<T>(db: Db, key: string, read: () => Promise<T>): Promise<T> {
  const reads = entryOf(sharedReads, sharedView(db), () => new Map<string, Shared>())
  const shared = reads.get(key)
  const start = (): Promise<T> => {
    const own: Shared = { running: read(), next: null }
    reads.set(key, own)
    const end = () => {
      if (own.next === null) reads.delete(key)
    }
    own.running.then(end, end)
    return own.running as Promise<T>
  }
  if (shared === undefined) return start()
  shared.next ??= shared.running.then(start, start)
  return shared.next as Promise<T>
}

type Batch<K, V> = { keys: Set<K>; result: Promise<ReadonlyMap<K, V>> }

/** Batches of one kind that are read at once: few enough to leave connections for the calls themselves. */
const BATCHES_AT_ONCE = 4

/** Reads a key at once; while `BATCHES_AT_ONCE` reads run, further keys wait together for the next one. */
export function batchReads<K, V>(
  readAll: (db: Db, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (db: Db, key: K) => Promise<V | undefined> {
  const states = new WeakMap<Db, { running: Set<Promise<unknown>>; waiting: Batch<K, V> | null }>()

  return async (db, key) => {
    const state = entryOf(states, sharedView(db), () => ({
      running: new Set<Promise<unknown>>(),
      waiting: null as Batch<K, V> | null,
    }))
    const start = (keys: Set<K>) => {
      const read = readAll(db, [...keys])
      state.running.add(read)
      const end = () => void state.running.delete(read)
      read.then(end, end)
      return read
    }
    if (state.running.size < BATCHES_AT_ONCE) return (await start(new Set([key]))).get(key)
    if (state.waiting === null) {
      const batch = { keys: new Set<K>() } as Batch<K, V>
      const begin = () => {
        state.waiting = null
        return start(batch.keys)
      }
      batch.result = Promise.race(state.running).then(begin, begin)
      state.waiting = batch
    }
    const { keys, result } = state.waiting
    keys.add(key)
    return (await result).get(key)
  }
}

/** The value of a key, which is created if there is none. */
export function entryOf<K extends object, V>(map: WeakMap<K, V>, key: K, create: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = create()))
  return value
}
