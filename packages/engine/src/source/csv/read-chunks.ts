import { LINE_FEED, QUOTE } from '#formats/byte-names.ts'
import { grown } from '#formats/bytes.ts'
import { Bailout } from '#formats/csv/cell-reader.ts'
import type { TextBytes } from '#formats/csv/text-bytes.ts'
import { SENTINEL_BYTES } from '#formats/terminators.ts'
import type { ByteRange } from '#source/table-source.ts'

/** Stays in the cache, and reading costs nothing; other sizes gain or lose a few percent. */
export const CHUNK_BYTES = 1 << 18

export type ChunkReader = {
  /**
   * Takes the whole records of `[0, end)`, which sentinels follow; returns where the rest begins. `isLast`:
   * all are whole. Throws `Bailout`.
   */
  run(bytes: Uint8Array, end: number, isLast: boolean): number
  /** Whether the cell that is cut at `end` is already too long. `[0, end)` must begin with its record. */
  isOpenCellTooLong(bytes: Uint8Array, end: number): boolean
}

/**
 * Reads a range through one buffer, `own`, which grows only for a longer record: a record cut by its end is
 * moved to the start. Returns where the first record begins that does not end within the range.
 */
export async function readChunks(
  text: TextBytes,
  { from, to }: ByteRange,
  own: Uint8Array,
  records: ChunkReader,
): Promise<number> {
  let buffer = own
  let position = from
  let held = 0
  for (;;) {
    const room = Math.min(buffer.length - SENTINEL_BYTES - held, to - position)
    const read = text.read(buffer.subarray(held, held + room))
    // 1 kB less for each chunk than `await`: a file of 25 MB ends before the first garbage collection.
    const count = typeof read === 'number' ? read : await read
    if (count === 0 && to !== Infinity) return position - held
    const isLast = count === 0
    position += count
    held += count
    putSentinels(buffer, held)
    const next = records.run(buffer, held, isLast)
    if (isLast) return position
    buffer.copyWithin(0, next, held)
    held -= next
    if (held <= own.length / 2 - SENTINEL_BYTES) {
      if (buffer !== own) own.set(buffer.subarray(0, held))
      buffer = own
      continue
    }
    if (held <= buffer.length / 2 - SENTINEL_BYTES) continue
    if (records.isOpenCellTooLong(buffer, held)) throw new Bailout()
    buffer = grown(buffer, held)
  }
}

/** See `SENTINEL_BYTES`: a line end, a quote that ends a quoted cell, then line ends. */
export function putSentinels(buffer: Uint8Array, end: number): void {
  buffer.fill(LINE_FEED, end, end + SENTINEL_BYTES)
  buffer[end + 1] = QUOTE
}
