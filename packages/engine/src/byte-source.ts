/** Bytes of a file, a Blob or an array, read at any position. They must not change while the engine reads. */
export type ByteSource = {
  /** In bytes. */
  readonly size: number
  /**
   * Fills `into` from `position` on. Returns how many bytes were written, fewer than `into.length` only at
   * the end. A plain number where reading is synchronous: awaiting costs more than a small read.
   */
  read(into: Uint8Array, position: number): number | Promise<number>
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (into, position) => {
      const part = bytes.subarray(position, position + into.length)
      into.set(part)
      return part.length
    },
  }
}

export const partOf = (source: ByteSource, start: number, end: number): ByteSource => ({
  size: end - start,
  read: (into, position) =>
    source.read(into.subarray(0, Math.max(0, end - start - position)), start + position),
})
