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

/** What the worker sends: progress, then the verdict, then the checksum of the file; or that it failed. */
export type CheckMessage =
  | { kind: 'progress'; percent: number }
  | { kind: 'verdict'; verdict: Verdict }
  /** Hexadecimal; null where the browser calculates none (only pages of secure origins can). */
  | { kind: 'checksum'; sha256: string | null }
  | { kind: 'failed'; error: string }
