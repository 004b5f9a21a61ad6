/**
 * Bytes that can be read from any position: a file, a Blob, an array. They must not change while the engine
 * reads.
 */
export type ByteSource = {
  /** In bytes. */
  readonly size: number
  /**
   * Fills `into` with the bytes from `position` on and returns how many were written; fewer than
   * `into.length` only at the end. A plain number where reading is synchronous: awaiting costs more than a
   * small read.
   */
  read(into: Uint8Array, position: number): number | Promise<number>
}
