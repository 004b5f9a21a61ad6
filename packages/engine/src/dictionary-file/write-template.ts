import {
  templateGuideHeadings,
  templateRuleHeadings,
  templateSheets,
  templateSteps,
  templateTexts,
} from '@veridict/contract/messages/template-file'
import type { Dictionary } from '@veridict/contract/model/field'
import { isEmptyRuleBook, type RuleBook, ruleBookOf } from '@veridict/contract/model/row-rule'
import { ruleTypeNames } from '@veridict/contract/model/rule'
import { conditionText, ruleSentence } from '@veridict/contract/notation/rule-sentence'
import { checkTemplate } from '#dictionary-file/check-template.ts'
import {
  type ListRange,
  type TemplateColumn,
  templateColumns,
} from '#dictionary-file/template/template-columns.ts'
import { dataSheet, needOf } from '#dictionary-file/template/template-data-sheet.ts'
import { TemplateStyle, TemplateStyles } from '#dictionary-file/template/template-styles.ts'
import { wrappedHeight } from '#dictionary-file/template/wrapped-height.ts'
import { styledRow, textCell } from '#formats/spreadsheet/write-cells.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { writeWorkbook } from '#formats/spreadsheet/write-workbook.ts'
import { textColumns } from '#output/cell-styles.ts'
import type { Platform } from '#platform.ts'

/**
 * The blank workbook of a dictionary, for people to fill in and upload: sheet Data with the headings in
 * order, required ones in dark red, a note at each, drop-downs for lists, and cells that keep values as
 * typed; sheet Guide; and a hidden sheet Lists if there are lists. The same dictionary gives the same bytes.
 * Throws RangeError if `checkTemplate` refuses the fields.
 */
export async function* writeTemplate(
  { name, fields, ...rules }: Dictionary,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  const refusal = checkTemplate(fields)
  if (refusal !== null) throw new RangeError(refusal)
  const columns = templateColumns(fields, platform)
  const styles = new TemplateStyles(columns)
  const lists = listRanges(columns)
  const sheets: NewSheet[] = [dataSheet(columns, styles), guideSheet(name, columns, ruleBookOf(rules))]
  if (lists.length > 0) sheets.push(listsSheet(lists))
  yield* writeWorkbook({ sheets, styles: styles.sheet() }, platform)
}

const GUIDE_WIDTHS = [7, 28, 15, 18, 46, 46, 18]
/** In points. */
const [TITLE_HEIGHT, STEP_HEIGHT, HEADING_HEIGHT] = [36, 18, 26]

/** Blank rows above the steps, above the table and above the rules. */
const GAP = 1

/** The sheet that explains how to fill in the data sheet, what each of its columns holds, and the rules. */
function guideSheet(name: string, columns: readonly TemplateColumn[], book: RuleBook): NewSheet {
  const rows = [...guideRows(name, columns, book)]
  return {
    name: templateSheets.guide,
    isReadingPage: true,
    columns: textColumns(GUIDE_WIDTHS),
    rows,
    // The blank rows are not written.
    rowCount: () => rows.length + (isEmptyRuleBook(book) ? 2 : 3) * GAP,
  }
}

function* guideRows(name: string, columns: readonly TemplateColumn[], book: RuleBook): Generator<string> {
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
  if (isEmptyRuleBook(book)) return
  row += GAP
  yield styledRow(row++, inStyle(TemplateStyle.TableHeading, templateRuleHeadings), HEADING_HEIGHT)
  for (const texts of ruleLines(book)) {
    const cells = inStyle(TemplateStyle.TableText, texts)
    yield styledRow(row++, cells, rowHeight(cells))
  }
}

/** By the headings of the rules. */
function* ruleLines({ rules, exempt, blankTexts }: RuleBook): Generator<string[]> {
  for (const rule of rules) {
    const { name, severity, from = '', description = '' } = rule
    yield ['', name, severity, from, ruleSentence(rule), description, '']
  }
  if (exempt !== null)
    yield ['', templateTexts.exempt, '', '', conditionText(exempt.when), exempt.description ?? '', '']
  if (blankTexts.length > 0) yield ['', templateTexts.blank, '', '', blankTexts.join('\n'), '', '']
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
  return wrappedHeight(cells.map(({ text }, column) => ({ text, width: GUIDE_WIDTHS[column] })))
}

const inStyle = (style: number, texts: readonly string[]) => texts.map((text) => ({ style, text }))

const WIDTH = 28

/** The lists that drop-downs refer to, each once. */
function listRanges(columns: readonly TemplateColumn[]): ListRange[] {
  return [...new Set(columns.map(({ choices }) => choices).filter((choices) => choices !== null))]
}

/** A hidden sheet with one column per list, headed by the name of the first field that uses it. */
function listsSheet(ranges: readonly ListRange[]): NewSheet {
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
