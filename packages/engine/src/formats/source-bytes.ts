import type { ByteSource } from '#byte-source.ts'

/** Inflating stops at the end of each chunk until it gets the next: 128 KiB took a workbook 5 % longer. */
export const READ_SIZE = 512 * 1024

/** With `shared`, all chunks are read into this memory: each is valid until the next. */
export async function* sourceBytes(source: ByteSource, start = 0, end = source.size, shared?: Uint8Array) {
  for (let position = start; position < end;) {
    const chunk = shared ?? new Uint8Array(Math.min(READ_SIZE, end - position))
    const count = await source.read(chunk.subarray(0, end - position), position)
    if (count <= 0) return
    yield chunk.subarray(0, count)
    position += count
  }
}
