/** The approximate size of an entry without its value, so that many small values count, too. */
const BYTES_OF_ENTRY = 1024

/** The value of a key: one that is remembered, or what `read` returns. */
export type RecentValues<V> = (key: number, read: () => Promise<V>) => Promise<V>

/** Keeps `maxBytes` at most; concurrent callers share a read. Values never change, also not by callers. */
export function createRecentValues<V>(maxBytes: number, bytesOf: (value: V) => number): RecentValues<V> {
  type Entry = { value: Promise<V>; bytes: number }
  /** The one that was not used for the longest time is first. */
  const entries = new Map<number, Entry>()
  let total = 0

  const forget = (key: number, { bytes }: Entry) => {
    entries.delete(key)
    total -= bytes
  }

  const keep = (key: number, entry: Entry, bytes: number) => {
    if (entries.get(key) !== entry) return
    if (bytes > maxBytes) return forget(key, entry)
    entry.bytes = bytes
    total += bytes
    for (const [oldestKey, oldest] of entries) if (total > maxBytes) forget(oldestKey, oldest)
  }

  return (key, read) => {
    const known = entries.get(key)
    const entry = known ?? { value: read(), bytes: 0 }
    entries.delete(key)
    entries.set(key, entry)
    if (known === undefined)
      entry.value.then(
        (value) => keep(key, entry, BYTES_OF_ENTRY + bytesOf(value)),
        () => entries.get(key) === entry && entries.delete(key),
      )
    return entry.value
  }
}
