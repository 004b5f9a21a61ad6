import { areaOf, sheetEnd, sheetStart } from '#formats/spreadsheet/workbook-parts.ts'
import { textCell } from '#formats/xml/write-xml.ts'
import type { ListRange, TemplateColumn } from '#dictionary-file/template/template-columns.ts'
import { TemplateStyle } from '#dictionary-file/template/template-styles.ts'

const WIDTH = 28

/** The lists that drop-downs refer to, each once. */
export function listRanges(columns: readonly TemplateColumn[]): ListRange[] {
  return [...new Set(columns.map(({ choices }) => choices).filter((choices) => choices !== null))]
}

/** A hidden sheet with a column for each list, below the name of the first field that uses it. */
export function* listsSheet(ranges: readonly ListRange[]): Generator<string> {
  const rows = Math.max(...ranges.map(({ options }) => options.length)) + 1
  yield sheetStart(ranges.map(() => WIDTH))
  yield rowOf(1, ranges, TemplateStyle.TableHeading, ({ heading }) => heading)
  for (let row = 2; row <= rows; row++)
    yield rowOf(row, ranges, TemplateStyle.Text, ({ options }) => options[row - 2])
  yield sheetEnd({ area: areaOf(ranges.length, rows), filter: false })
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
