import type { CellFault } from '@veridict/contract/model/cell-error'
import { type CellReader, cellText } from '#formats/csv/cell-reader.ts'
import type { Platform } from '#platform.ts'
import type { BadCell } from '#source/table-source.ts'

/** An invalid cell of a CSV file. */
export class CsvBadCell implements BadCell {
  readonly column: number
  readonly fault: CellFault
  memo: object | null = null
  /** Those of the file, or those of the cell alone. */
  readonly bytes: Uint8Array
  readonly #platform: Pick<Platform, 'decodeUtf8'>
  readonly #from: number
  readonly #to: number
  readonly #hasEscapedQuotes: boolean
  #value: string | undefined

  /** The cell that was read last. `bytes` begin at `start` in those that were read. */
  constructor(
    column: number,
    fault: CellFault,
    { from, to, hasEscapedQuotes }: CellReader,
    bytes: Uint8Array,
    start: number,
    platform: Pick<Platform, 'decodeUtf8'>,
  ) {
    this.column = column
    this.fault = fault
    this.bytes = bytes
    this.#platform = platform
    this.#from = from - start
    this.#to = to - start
    this.#hasEscapedQuotes = hasEscapedQuotes
  }

  get value(): string {
    return (this.#value ??= cellText(
      this.#platform,
      this.bytes,
      this.#from,
      this.#to,
      this.#hasEscapedQuotes,
    ))
  }
}
