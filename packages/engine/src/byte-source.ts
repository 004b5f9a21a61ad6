/** Bytes that can be read anywhere: a file, a Blob, an array. Never changes while the engine reads it. */
export type ByteSource = {
  /** In bytes. */
  readonly size: number
  /**
   * Fills `into` from `position` on as far as there are bytes and answers how many were written; fewer than
   * `into.length` only at the end. A plain number where reading is synchronous: awaiting costs more than a
   * small read.
   */
  read(into: Uint8Array, position: number): number | Promise<number>
}
