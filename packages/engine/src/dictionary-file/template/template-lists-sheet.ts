import { templateSheets } from '@veridict/contract/messages/template-file'
import type { ListRange, TemplateColumn } from '#dictionary-file/template/template-columns.ts'
import { TemplateStyle } from '#dictionary-file/template/template-styles.ts'
import { textCell } from '#formats/spreadsheet/write-cells.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { textColumns } from '#output/cell-styles.ts'

const WIDTH = 28

/** The lists that drop-downs refer to, each once. */
export function listRanges(columns: readonly TemplateColumn[]): ListRange[] {
  return [...new Set(columns.map(({ choices }) => choices).filter((choices) => choices !== null))]
}

/** A hidden sheet with one column per list, headed by the name of the first field that uses it. */
export function listsSheet(ranges: readonly ListRange[]): NewSheet {
  const count = Math.max(...ranges.map(({ options }) => options.length)) + 1
  function* rows() {
    yield rowOf(1, ranges, TemplateStyle.TableHeading, ({ heading }) => heading)
    for (let row = 2; row <= count; row++)
      yield rowOf(row, ranges, TemplateStyle.Text, ({ options }) => options[row - 2])
  }
  return {
    name: templateSheets.lists,
    isHidden: true,
    columns: textColumns(ranges.map(() => WIDTH)),
    rows: rows(),
    rowCount: () => count,
  }
}

function rowOf(
  row: number,
  ranges: readonly ListRange[],
  style: number,
  textOf: (range: ListRange) => string | undefined,
): string {
  const cells = ranges.map((range) => {
    const text = textOf(range)
    return text === undefined ? '' : textCell(range.letter + row, style, text)
  })
  return `<row r="${row}">${cells.join('')}</row>`
}
