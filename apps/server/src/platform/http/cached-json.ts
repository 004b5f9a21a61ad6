import { createRecentValues } from '#platform/database/recent-values.ts'

const MIB = 1024 * 1024
/** The largest dictionary that can be imported has 5 MB; most have some kilobytes. */
const MAX_CACHED_BYTES = 32 * MIB

/** The JSON of the value with this key: from the cache, else of what `read` returns. */
export type CachedJson = (key: number, read: () => Promise<unknown>) => Promise<Buffer>

/**
 * Caches the JSON of values that never change, as the bytes that are sent: all clients at once share them,
 * also those that read slowly.
 */
export function createCachedJson(): CachedJson {
  const cached = createRecentValues<Buffer>(MAX_CACHED_BYTES, ({ byteLength }) => byteLength)
  return (key, read) => cached(key, async () => Buffer.from(JSON.stringify(await read())))
}
