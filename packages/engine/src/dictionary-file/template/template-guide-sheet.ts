import {
  templateGuideHeadings,
  templateSheets,
  templateSteps,
  templateTexts,
} from '@veridict/contract/messages/template-file'
import { ruleTypeNames } from '@veridict/contract/model/rule'
import type { TemplateColumn } from '#dictionary-file/template/template-columns.ts'
import { needOf } from '#dictionary-file/template/template-data-sheet.ts'
import { TemplateStyle } from '#dictionary-file/template/template-styles.ts'
import { wrappedHeight } from '#dictionary-file/template/wrapped-height.ts'
import { styledRow } from '#formats/spreadsheet/write-cells.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { textColumns } from '#output/cell-styles.ts'

const WIDTHS = [7, 28, 15, 18, 46, 46, 18]
/** In points. */
const [TITLE_HEIGHT, STEP_HEIGHT, HEADING_HEIGHT] = [36, 18, 26]

/** Blank rows above the steps and above the table. */
const GAP = 1

/** The sheet that explains how to fill in the data sheet, and what each of its columns holds. */
export function guideSheet(name: string, columns: readonly TemplateColumn[]): NewSheet {
  const rows = [...guideRows(name, columns)]
  return {
    name: templateSheets.guide,
    isReadingPage: true,
    columns: textColumns(WIDTHS),
    rows,
    // The blank rows are not written.
    rowCount: () => rows.length + 2 * GAP,
  }
}

function* guideRows(name: string, columns: readonly TemplateColumn[]): Generator<string> {
  const required = columns.filter(({ field }) => field.required).length
  const summary = templateTexts.summary(columns.length, required)
  let row = 1
  yield styledRow(row++, inStyle(TemplateStyle.Title, [name]), TITLE_HEIGHT)
  yield styledRow(row++, inStyle(TemplateStyle.Faint, [summary]))
  row += GAP
  for (const [index, step] of templateSteps.entries())
    yield styledRow(row++, stepOf(index + 1, step), STEP_HEIGHT)
  row += GAP
  yield styledRow(row++, inStyle(TemplateStyle.TableHeading, templateGuideHeadings), HEADING_HEIGHT)
  for (const column of columns) {
    const cells = lineOf(column)
    yield styledRow(row++, cells, rowHeight(cells))
  }
}

function lineOf({ field, letter, expected }: TemplateColumn) {
  const type = ruleTypeNames[field.rule.type]
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

/** Stated, because not every program fits rows to wrapped text. */
function rowHeight(cells: readonly { text: string }[]): number {
  return wrappedHeight(cells.map(({ text }, column) => ({ text, width: WIDTHS[column] })))
}

const inStyle = (style: number, texts: readonly string[]) => texts.map((text) => ({ style, text }))
