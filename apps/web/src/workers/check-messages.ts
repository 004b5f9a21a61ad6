import type { Verdict } from '@veridict/contract/model/verdict'

/** What the page sends to the worker, once. */
export type CheckRequest = {
  file: File
  /**
   * The reply of `readForChecking` as it came: a dictionary can hold a million values, and reading them as
   * JSON would block the page.
   */
  dictionary: Blob
}

type RowErrors = Extract<Verdict, { kind: 'rowErrors' }>

/** A verdict with as much of its errors as a screen shows: of all rows and causes only the first. */
export type CheckedRowErrors = Omit<RowErrors, 'groups'> & { causesCount: number }
export type CheckedVerdict = Exclude<Verdict, RowErrors> | CheckedRowErrors

/** What the worker sends: progress, then the verdict, then the checksum of the file; or that it failed. */
export type CheckMessage =
  | { kind: 'progress'; percent: number }
  | { kind: 'verdict'; verdict: CheckedVerdict }
  /** Hexadecimal; null where the browser calculates none (only pages of secure origins can). */
  | { kind: 'checksum'; sha256: string | null }
  | { kind: 'failed'; error: string }
