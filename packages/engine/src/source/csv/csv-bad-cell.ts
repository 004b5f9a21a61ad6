import type { CellFault } from '@veridict/contract/model/cell-error'
import { type CellClassifier, NO_CLASS } from '#fast-path/cell-class.ts'
import type { CellReader } from '#formats/csv/cell-reader.ts'
import type { BadCell } from '#source/table-source.ts'

/** An invalid cell of a CSV file. */
export class CsvBadCell implements BadCell {
  readonly column: number
  readonly fault: CellFault
  /** The size of the cell in bytes, with its quotes and padding. */
  readonly size: number
  memo: object | null = null
  readonly #reader: CellReader
  #from = 0
  #to = 0
  #hasEscapedQuotes = false
  #value: string | null = null

  /** For the cell that `reader` has just read. */
  constructor(column: number, fault: CellFault, size: number, reader: CellReader) {
    this.column = column
    this.fault = fault
    this.size = size
    this.#reader = reader
    this.readAgain()
  }

  /**
   * Called when the reader has read another cell with the same bytes: the text is made from that cell from
   * now on.
   */
  readAgain(): void {
    const reader = this.#reader
    this.#from = reader.from
    this.#to = reader.to
    this.#hasEscapedQuotes = reader.hasEscapedQuotes
    this.#value = null
  }

  classBy(classify: CellClassifier): number {
    // Escaped quotes: the bytes differ from the text.
    if (this.#hasEscapedQuotes) return NO_CLASS
    return classify(this.fault.code, this.#reader.bytes, this.#from, this.#to)
  }

  get value(): string {
    return (this.#value ??= this.#reader.text(this.#from, this.#to, this.#hasEscapedQuotes))
  }
}
