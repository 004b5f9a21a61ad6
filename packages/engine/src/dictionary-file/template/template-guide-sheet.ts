import {
  templateGuideHeadings,
  templateSteps,
  templateTexts,
} from '@veridict/contract/messages/template-file'
import { ruleToWire, ruleTypeNames } from '@veridict/contract/model/rule'
import { areaOf, READING_PAGE, readingSheetStart, sheetEnd } from '#formats/spreadsheet/workbook-parts.ts'
import { formattedRow } from '#formats/xml/write-xml.ts'
import type { TemplateColumn } from '#dictionary-file/template/template-columns.ts'
import { needOf } from '#dictionary-file/template/template-data-sheet.ts'
import { wrappedHeight } from '#dictionary-file/template/wrapped-height.ts'
import { TemplateStyle } from '#dictionary-file/template/template-styles.ts'

const WIDTHS = [7, 28, 15, 18, 46, 46, 18]
/** In points. */
const [TITLE_HEIGHT, STEP_HEIGHT, HEADING_HEIGHT] = [36, 18, 26]

/** Blank, to keep what stands above apart. */
const GAP = 1

/** The sheet that tells how the other one is filled in, and what each of its columns holds. */
export function* guideSheet(name: string, columns: readonly TemplateColumn[]): Generator<string> {
  const required = columns.filter(({ field }) => field.required).length
  yield readingSheetStart(WIDTHS)
  let row = 1
  yield formattedRow(row++, [{ style: TemplateStyle.Title, text: name }], TITLE_HEIGHT)
  yield formattedRow(row++, [
    { style: TemplateStyle.Faint, text: templateTexts.summary(columns.length, required) },
  ])
  row += GAP
  for (const [index, step] of templateSteps.entries())
    yield formattedRow(row++, stepOf(index + 1, step), STEP_HEIGHT)
  row += GAP
  yield formattedRow(row++, inStyle(TemplateStyle.TableHeading, templateGuideHeadings), HEADING_HEIGHT)
  for (const column of columns) {
    const cells = lineOf(column)
    yield formattedRow(row++, cells, rowHeight(cells))
  }
  yield sheetEnd({ area: areaOf(templateGuideHeadings.length, row - 1), filter: false, extra: READING_PAGE })
}

function lineOf({ field, letter, expected }: TemplateColumn) {
  const type = ruleTypeNames[ruleToWire(field.rule).ruleType]
  const cells = inStyle(TemplateStyle.TableText, [
    letter,
    field.name,
    needOf(field),
    type,
    expected,
    field.description,
    field.category,
  ])
  if (field.required) for (const index of [1, 2]) cells[index].style = TemplateStyle.TableStrong
  return cells
}

const stepOf = (number: number, step: string) => inStyle(TemplateStyle.Text, [`${number}.`, step])

/** Not every program finds out how many lines a cell wraps to. */
function rowHeight(cells: readonly { text: string }[]): number {
  return wrappedHeight(cells.map(({ text }, column) => ({ text, width: WIDTHS[column] })))
}

const inStyle = (style: number, texts: readonly string[]) => texts.map((text) => ({ style, text }))
