import { errorFileLimits, worksheetBounds } from '@veridict/contract/limits'
import { shownValue } from '#causes/kept-cell.ts'
import type { EditedRow } from '#output/sheet-rewriter.ts'
import type { TextPlatform } from '#platform.ts'

/** `column` counts from 0; `original` is the cell's text in the file, not trimmed. */
export type Correction = {
  readonly column: number
  /** The id of its cause; null for a valid date that means another day. */
  readonly cause: string | null
  readonly original: string
  readonly value: string
}
export type CorrectedRow = EditedRow<Correction>

/** What no reader takes back from a file as it was written: NUL, lost characters, DOS's mark of the end. */
// oxlint-disable-next-line no-control-regex
const UNREADABLE = /[\0\u001A\uFFFD]/

const canBeWritten = (text: string): boolean =>
  text.length <= worksheetBounds.maxCellLength && text.isWellFormed() && !UNREADABLE.test(text)

/** A corrected cell with its values as people read them. */
type ListedCorrection = {
  readonly rowNumber: number
  readonly column: number
  readonly before: string
  readonly after: string
}

/** Counts the corrections of a copy, each once, and lists the first ones. */
export class CorrectionTally {
  /** Bad cells that were corrected. */
  count = 0
  /** How many cells were changed: also the valid dates that mean another day. */
  changedCount = 0
  /** How many cells have a suggestion that could not be applied. */
  skippedCount = 0
  readonly listed: ListedCorrection[] = []
  readonly #byCause = new Map<string, number>()
  readonly #platform: TextPlatform

  constructor(platform: TextPlatform) {
    this.#platform = platform
  }

  /** Counts a correction as applied. False where the copy cannot hold the value: it counts as skipped. */
  apply(rowNumber: number, correction: Correction): boolean {
    const isApplied = canBeWritten(correction.value)
    if (isApplied) this.#corrected(rowNumber, correction)
    else this.skip()
    return isApplied
  }

  skip(): void {
    this.skippedCount++
  }

  #corrected(rowNumber: number, { column, cause, original, value }: Correction): void {
    this.changedCount++
    if (cause !== null) {
      this.count++
      this.#byCause.set(cause, this.countOf(cause) + 1)
    }
    if (this.listed.length >= errorFileLimits.maxListedCorrections) return
    const [before, after] = [original, value].map((text) => shownValue(text, this.#platform))
    this.listed.push({ rowNumber, column, before, after })
  }

  countOf(cause: string): number {
    return this.#byCause.get(cause) ?? 0
  }
}
