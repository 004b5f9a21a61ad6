export type PartSettings = {
  /** Submissions of the large company. */
  rows: number
  /** Seconds of the mixed reads. */
  seconds: number
}
