import type { CellFault } from '@veridict/contract/model/cell-error'
import { type CellClassifier, NO_CLASS } from '#fast-path/cell-class.ts'
import type { CellReader } from '#formats/csv/cell-reader.ts'
import type { BadCell } from '#source/table-source.ts'

/** An invalid cell of a CSV file. */
export class CsvBadCell implements BadCell {
  readonly column: number
  readonly fault: CellFault
  /** Of the cell with its quotes and padding, in bytes. */
  readonly size: number
  memo: object | null = null
  readonly #reader: CellReader
  #from = 0
  #to = 0
  #hasEscapedQuotes = false
  #value: string | null = null

  /** The cell that `reader` has read last. */
  constructor(column: number, fault: CellFault, size: number, reader: CellReader) {
    this.column = column
    this.fault = fault
    this.size = size
    this.#reader = reader
    this.readAgain()
  }

  /** The cell that the reader has read last has the same bytes: the text is made of these from now on. */
  readAgain(): void {
    const reader = this.#reader
    this.#from = reader.from
    this.#to = reader.to
    this.#hasEscapedQuotes = reader.hasEscapedQuotes
    this.#value = null
  }

  classBy(classify: CellClassifier): number {
    // The bytes are not those of the text.
    if (this.#hasEscapedQuotes) return NO_CLASS
    return classify(this.fault.code, this.#reader.bytes, this.#from, this.#to)
  }

  get value(): string {
    return (this.#value ??= this.#reader.text(this.#from, this.#to, this.#hasEscapedQuotes))
  }
}
