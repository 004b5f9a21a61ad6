import type { RowKeyPart } from '@veridict/contract/model/cell-error'
import { type ColumnCheck, keyColumnsOf } from '#compile/column-check.ts'
import type { TextPlatform } from '#platform.ts'
import { shownValue } from '#causes/kept-cell.ts'
import type { RowView } from '#source/table-source.ts'

/** One for all: a wide table keeps thousands of rows. */
const NO_KEY: RowKeyPart[] = []

/** The values of the fields that identify a row, as a report shows values. */
export class RowKeys {
  /** The names of the fields that identify a row. */
  readonly labels: readonly string[]
  readonly #platform: TextPlatform

  constructor(columns: readonly ColumnCheck[], platform: TextPlatform) {
    this.labels = keyColumnsOf(columns).map((column) => columns[column].field!.name)
    this.#platform = platform
  }

  /** If no field identifies rows, the row is not read. */
  keyOf(row: RowView): RowKeyPart[] {
    if (this.labels.length === 0) return NO_KEY
    const texts = row.keyTexts()
    return this.labels.map((label, index) => ({ label, value: shownValue(texts[index], this.#platform) }))
  }
}
