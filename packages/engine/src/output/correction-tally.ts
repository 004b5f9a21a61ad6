import { errorFileLimits } from '@veridict/contract/limits'
import { shownValue } from '#causes/kept-cell.ts'
import type { Correction, CorrectionLog } from '#output/corrected-rows.ts'
import type { Platform } from '#platform.ts'

/** A corrected cell with its values as people read them. */
type ListedCorrection = {
  readonly rowNumber: number
  readonly column: number
  readonly before: string
  readonly after: string
}

/** Counts the corrections of a copy, and lists the first ones. */
export class CorrectionTally implements CorrectionLog {
  /** How many bad cells were corrected. */
  count = 0
  /** How many cells were changed: also the valid dates that mean another day. */
  changedCount = 0
  /** How many cells have a suggestion that could not be applied. */
  skippedCount = 0
  readonly listed: ListedCorrection[] = []
  readonly #byCause = new Map<string, number>()
  readonly #platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>

  constructor(platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>) {
    this.#platform = platform
  }

  corrected(rowNumber: number, { column, cause, original, value }: Correction): void {
    this.changedCount++
    if (cause !== null) {
      this.count++
      this.#byCause.set(cause, this.countOf(cause) + 1)
    }
    if (this.listed.length >= errorFileLimits.maxListedCorrections) return
    const [before, after] = [original, value].map((text) => shownValue(text, this.#platform))
    this.listed.push({ rowNumber, column, before, after })
  }

  skipped(): void {
    this.skippedCount++
  }

  /** How many cells of a cause were corrected. */
  countOf(cause: string): number {
    return this.#byCause.get(cause) ?? 0
  }
}
