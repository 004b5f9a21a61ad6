import type { CellFault } from '@veridict/contract/model/cell-error'
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
  readonly #from: number
  readonly #to: number
  readonly #hasEscapedQuotes: boolean
  #value: string | undefined

  /** The cell that `reader` has read last. */
  constructor(column: number, fault: CellFault, size: number, reader: CellReader) {
    this.column = column
    this.fault = fault
    this.size = size
    this.#reader = reader
    this.#from = reader.from
    this.#to = reader.to
    this.#hasEscapedQuotes = reader.hasEscapedQuotes
  }

  /** Makes the text, because the bytes of the file will be others: from now on the cell is valid for ever. */
  keepValue(): void {
    this.#value = this.value
  }

  get value(): string {
    return (this.#value ??= this.#reader.text(this.#from, this.#to, this.#hasEscapedQuotes))
  }
}
