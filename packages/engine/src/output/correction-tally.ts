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

/** Counts what a corrected copy changes, and keeps the first cells. */
export class CorrectionTally implements CorrectionLog {
  /** Corrected cells. */
  count = 0
  /** Cells that have a suggestion and could not be changed. */
  leftCount = 0
  readonly listed: ListedCorrection[] = []
  readonly #byCause = new Map<string, number>()
  readonly #platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>

  constructor(platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>) {
    this.#platform = platform
  }

  made(rowNumber: number, { column, cause, original, value }: Correction): void {
    this.count++
    this.#byCause.set(cause, this.countOf(cause) + 1)
    if (this.listed.length >= errorFileLimits.maxListedCorrections) return
    const [before, after] = [original, value].map((text) => shownValue(text, this.#platform))
    this.listed.push({ rowNumber, column, before, after })
  }

  left(): void {
    this.leftCount++
  }

  /** How many cells of a cause were corrected. */
  countOf(cause: string): number {
    return this.#byCause.get(cause) ?? 0
  }
}
