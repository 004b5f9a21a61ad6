import { createRecentValues } from '#db/recent-values.ts'

const MIB = 1024 * 1024
/** The largest dictionary that can be imported has 5 MB; most have some kilobytes. */
const MAX_KEPT_BYTES = 32 * MIB

/** The JSON of the value with this key: the bytes that were made before, or that of what `read` returns. */
export type KeptJson = (key: number, read: () => Promise<unknown>) => Promise<Buffer>

/**
 * Keeps the JSON of values that never change, as the bytes that are sent: all clients at once share them,
 * also those that read slowly.
 */
export function createKeptJson(): KeptJson {
  const kept = createRecentValues<Buffer>(MAX_KEPT_BYTES, ({ byteLength }) => byteLength)
  return (key, read) => kept(key, async () => Buffer.from(JSON.stringify(await read())))
}
