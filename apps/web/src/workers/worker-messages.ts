import type { CauseRows, CausesBelow } from '@veridict/contract/model/cause'
import type { CorrectionAnswer } from '@veridict/contract/notation/correction-answers'
import type { CorrectionOutcome } from '@veridict/engine/corrected-file'
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
export type SentVerdict =
  | Exclude<Verdict, RowErrors>
  | (Omit<RowErrors, 'groups' | 'causeRows'> & { causesCount: number })

/** `causeRows`, of errors and of warnings, are sent on their own. */
export type CheckedVerdict = SentVerdict & { causeRows: CauseRows[] }
export type CheckedRowErrors = Extract<CheckedVerdict, { kind: 'rowErrors' }>

/**
 * What the worker sends: progress, the rows of each cause, the verdict, and the checksum of the file; or that
 * it failed. Each cause has a message of its own, because the page can draw a frame between two messages, and
 * reading a thousand rows at once would take a slow machine longer than a frame may.
 */
export type CheckMessage =
  | { kind: 'progress'; percent: number }
  | { kind: 'causeRows'; causeRows: CauseRows }
  | { kind: 'verdict'; verdict: SentVerdict }
  /** Hexadecimal; null where the browser calculates none (only pages of secure origins can). */
  | { kind: 'checksum'; sha256: string | null }
  | { kind: 'failed'; error: string }

/** What the page sends to the worker, once: to make a copy, or only to find what lies below. */
export type CorrectRequest = CheckRequest & {
  wants: CorrectResult['kind']
  /** The ids of those to correct. */
  causes: readonly string[]
  answers: ReadonlyMap<string, CorrectionAnswer>
}

export type CorrectResult =
  /** `removed`: the texts of rows and columns that the copy does not have. */
  | { kind: 'copy'; copy: Blob; removed: CorrectionOutcome['removed'] }
  /** null where the choice is refused. */
  | { kind: 'below'; below: CausesBelow | null }

/** What the worker sends, once. */
export type CorrectMessage = CorrectResult | { kind: 'failed'; error: string }
