import {
  livingTexts,
  templateGuideHeadings,
  templateRuleHeadings,
  templateSheets,
  templateSteps,
  templateTexts,
} from '@veridict/contract/messages/template-file'
import type { Dictionary } from '@veridict/contract/model/field'
import { type RuleBook, ruleBookOf } from '@veridict/contract/model/row-rule'
import { ruleTypeNames } from '@veridict/contract/model/rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { conditionText, ruleSentence } from '@veridict/contract/notation/rule-sentence'
import { checkTemplate } from '#dictionary-file/check-template.ts'
import { type TemplateColumn, templateColumns } from '#dictionary-file/template/template-columns.ts'
import { dataSheet } from '#dictionary-file/template/template-data-sheet.ts'
import { TemplateStyle, TemplateStyles } from '#dictionary-file/template/template-styles.ts'
import { wrappedHeight } from '#dictionary-file/template/wrapped-height.ts'
import { type ListRange, listRanges, needOf, unknownLines } from '#formulas/living-columns.ts'
import { styledRow, textCell } from '#formats/spreadsheet/write-cells.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { writeWorkbook } from '#formats/spreadsheet/write-workbook.ts'
import { textColumns } from '#output/cell-styles.ts'
import type { Platform } from '#platform.ts'

/**
 * Sheet Data with the headings in order, required ones in dark red, notes, drop-downs, and cells that keep
 * values as typed and turn red where surely wrong; sheet Guide; a hidden sheet Lists if there are lists. The
 * same dictionary gives the same bytes. Throws RangeError if `checkTemplate` refuses the fields.
 */
export async function* writeTemplate(
  { name, fields, ...rules }: Dictionary,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  const refusal = checkTemplate(fields)
  if (refusal !== null) throw new RangeError(refusal)
  const book = ruleBookOf(rules)
  const columns = templateColumns(fields, book, platform)
  const styles = new TemplateStyles(columns)
  const lists = listRanges(columns)
  const sheets: NewSheet[] = [dataSheet(columns, styles), guideSheet(name, columns, book)]
  if (lists.length > 0) sheets.push(listsSheet(lists))
  yield* writeWorkbook({ sheets, styles: styles.sheet() }, platform)
}

const GUIDE_WIDTHS = [7, 28, 15, 18, 46, 46, 18]
/** In points. */
const [TITLE_HEIGHT, STEP_HEIGHT, HEADING_HEIGHT] = [36, 18, 26]

/** Blank rows above the steps and above each table. */
const GAP = 1

/** The sheet that explains how to fill in the data sheet, what each of its columns holds, and the rules. */
function guideSheet(name: string, columns: readonly TemplateColumn[], book: RuleBook): NewSheet {
  const tables = guideTables(columns, book).filter(({ rows }) => rows.length > 0)
  const rows = [...guideRows(name, columns, tables)]
  return {
    name: templateSheets.guide,
    isReadingPage: true,
    columns: textColumns(GUIDE_WIDTHS),
    rows,
    // The blank rows are not written.
    rowCount: () => rows.length + (1 + tables.length) * GAP,
  }
}

type GuideTable = { readonly headings: readonly string[]; readonly rows: readonly GuideCell[][] }
type GuideCell = { style: number; text: string }

function guideTables(columns: readonly TemplateColumn[], book: RuleBook): GuideTable[] {
  const inTable = (texts: readonly string[]) => inStyle(TemplateStyle.TableText, texts)
  const [letter, field, unknown] = livingTexts.unknownHeadings
  const unknowns = unknownLines(columns).map(([place, label, text]) => [place, label, '', '', text, '', ''])
  return [
    { headings: templateGuideHeadings, rows: columns.map(lineOf) },
    { headings: templateRuleHeadings, rows: [...ruleLines(book)].map(inTable) },
    { headings: [letter, field, '', '', unknown, '', ''], rows: unknowns.map(inTable) },
  ]
}

function* guideRows(
  name: string,
  columns: readonly TemplateColumn[],
  tables: readonly GuideTable[],
): Generator<string> {
  const required = columns.filter(({ field }) => field.required).length
  const summary = templateTexts.summary(columns.length, required)
  let row = 1
  yield styledRow(row++, inStyle(TemplateStyle.Title, [name]), TITLE_HEIGHT)
  yield styledRow(row++, inStyle(TemplateStyle.Faint, [summary]))
  row += GAP
  for (const [index, step] of templateSteps.entries())
    yield styledRow(row++, stepOf(index + 1, step), STEP_HEIGHT)
  for (const { headings, rows } of tables) {
    row += GAP
    yield styledRow(row++, inStyle(TemplateStyle.TableHeading, headings), HEADING_HEIGHT)
    for (const cells of rows) yield styledRow(row++, cells, rowHeight(cells))
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
  const cells = ranges.map((range, column) => {
    const text = textOf(range)
    return text === undefined ? '' : textCell(columnLetter(column) + row, style, text)
  })
  return `<row r="${row}">${cells.join('')}</row>`
}
