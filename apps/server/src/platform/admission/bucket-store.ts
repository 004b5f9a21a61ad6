/** Holds `capacity` attempts and loses one every `leakSeconds`. */
export type Bucket = { key: Buffer; capacity: number; leakSeconds: number }

/** Where all servers count their attempts. Each method throws when the database does not respond. */
export type BucketStore = {
  /**
   * Counts `needed` attempts, or as many as fit, and up to `ahead` more. Returns how many, and the seconds
   * until the next one fits.
   */
  take(
    bucket: Bucket,
    attempts: { needed: number; ahead: number },
  ): Promise<{ granted: number; seconds: number }>
  /** Takes back counted attempts; `seconds`: their number times `leakSeconds`. */
  giveBack(unused: readonly { key: Buffer; seconds: number }[]): Promise<void>
  /** Forgets all attempts. */
  empty(key: Buffer): Promise<void>
}
