import { worksheetBounds } from '@veridict/contract/limits'
import { livingTexts } from '@veridict/contract/messages/template-file'
import type { Field } from '@veridict/contract/model/field'
import type { NumberRule, Rule } from '@veridict/contract/model/rule'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { clipText } from '#formats/spreadsheet/write-cells.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { type CellFormula, cellFormula } from '#formulas/cell-formulas.ts'
import { joined, numeral } from '#formulas/formula-text.ts'
import type { Platform } from '#platform.ts'
import { compileRule } from '#rules/compile-rule.ts'

/** Where a table is on its sheet, and where the options of its lists are. Columns count from 0. */
export type LivingPlace = {
  readonly table: { readonly headerRowNumber: number; readonly firstColumn: number }
  readonly listSheet: string
  readonly firstListColumn: number
}

/** A column of a sheet that spreadsheet programs check. */
export type LivingColumn = {
  readonly field: Field
  readonly letter: string
  /** The formula of its cell in a row, from 1. */
  formulaAt(row: number): CellFormula
  /** What is expected of a value. */
  readonly expected: string
  /** Whether a text may stand there that counts as blank, whatever is expected. */
  readonly hasBlankTexts: boolean
  /** The options of its drop-down, on the sheet of lists; null if it has none. */
  readonly choices: ListRange | null
  /** All its cells below the heading. */
  readonly cells: string
  readonly firstRow: number
}

/** A column of the sheet of lists: options below a heading. */
export type ListRange = {
  readonly cells: string
  readonly heading: string
  readonly options: readonly string[]
}

/** The columns of a table, one per field, in order, as many as a sheet has. */
export function livingColumns(
  allFields: readonly Field[],
  { exempt, blankTexts }: RuleBook,
  { table: { headerRowNumber, firstColumn }, listSheet, firstListColumn }: LivingPlace,
  platform: Platform,
): LivingColumn[] {
  const fields = allFields.slice(0, worksheetBounds.maxColumns - firstColumn)
  const lists = new ListRanges(listSheet, firstListColumn)
  const letters = fields.map((_, index) => columnLetter(firstColumn + index))
  const firstRow = headerRowNumber + 1
  return fields.map((field, index) => {
    const letter = letters[index]
    const formulaAt = (row: number) => {
      const scope = { row: `$${letters[0]}${row}:$${letters.at(-1)}${row}`, hasExemption: exempt !== null }
      return cellFormula(field, `$${letter}${row}`, { ...scope, blankTexts })
    }
    return {
      field,
      letter,
      formulaAt,
      expected: compileRule(field, platform, null).expected,
      hasBlankTexts: blankTexts.length > 0,
      choices: field.rule.type === 'list' ? lists.rangeOf(field.name, field.rule.options) : null,
      cells: `${letter}${firstRow}:${letter}${worksheetBounds.maxRows}`,
      firstRow,
    }
  })
}

/** Equal lists share a range. */
class ListRanges {
  private readonly ranges = new Map<string, ListRange | null>()
  private readonly sheet: string
  private nextColumn: number

  constructor(sheet: string, firstColumn: number) {
    this.sheet = `'${sheet}'`
    this.nextColumn = firstColumn
  }

  rangeOf(heading: string, listed: readonly string[]): ListRange | null {
    const key = JSON.stringify(listed)
    let range = this.ranges.get(key)
    if (range === undefined) this.ranges.set(key, (range = this.newRange(heading, listed)))
    return range
  }

  /** Options as the engine compares them: trimmed, without duplicates. null if they do not fit on a sheet. */
  private newRange(heading: string, listed: readonly string[]): ListRange | null {
    const options = [...new Set(listed.map((option) => option.trim()).filter((option) => option !== ''))]
    if (options.length === 0 || options.length >= worksheetBounds.maxRows) return null
    if (this.nextColumn >= worksheetBounds.maxColumns) return null
    const letter = columnLetter(this.nextColumn++)
    return { cells: `${this.sheet}!$${letter}$2:$${letter}$${options.length + 1}`, heading, options }
  }
}

/** The lists that drop-downs refer to, each once. */
export const listRanges = (columns: readonly LivingColumn[]): ListRange[] => [
  ...new Set(columns.map(({ choices }) => choices).filter((choices) => choices !== null)),
]

/** How each of our formulas begins: text that does nothing, by which a copy can recognize them. */
export const SIGNATURE = 'IF(N("Veridict")=0,'

/** Of one conditional format; Excel's limit is not documented. */
const MAX_RANGES = 1000

/**
 * `<conditionalFormatting>` elements: what is surely wrong is red; marked cells are plain once they are
 * surely right. `looks` are indexes of `dxf` elements of the styles; `markedOf` has the ranges of a column's
 * marked cells, from top to bottom.
 */
export function conditionalFormats(
  columns: readonly LivingColumn[],
  looks: { readonly bad: number; readonly plain: number },
  markedOf: (column: LivingColumn) => readonly string[] = () => [],
): string[] {
  const bad = columns.map((column) => ({
    cells: column.cells,
    formula: column.formulaAt(column.firstRow).wrong,
    look: looks.bad,
  }))
  const plain = columns.flatMap((column) => {
    const marked = markedOf(column)
    return Array.from({ length: Math.ceil(marked.length / MAX_RANGES) }, (_, index) => {
      const ranges = marked.slice(index * MAX_RANGES, (index + 1) * MAX_RANGES)
      // A formula belongs to the first of the cells.
      const { wrong } = column.formulaAt(Number(/\d+/.exec(ranges[0])))
      return { cells: ranges.join(' '), formula: `NOT(${wrong})`, look: looks.plain }
    })
  })
  return [...bad, ...plain].map(
    ({ cells, formula, look }, index) =>
      `<conditionalFormatting sqref="${cells}">` +
      `<cfRule type="expression" dxfId="${look}" priority="${index + 1}">` +
      `<formula>${escapeXml(`${SIGNATURE}${formula})`)}</formula></cfRule></conditionalFormatting>`,
  )
}

/** The longest message or prompt, in UTF-16 code units: Excel calls a workbook with a longer one damaged. */
const MAX_MESSAGE = 225

/**
 * The `<dataValidation>` element of a column, '' if there is nothing to say. `prompt` is shown in each cell.
 * Programs refuse with it what the engine refuses, too; only of the length of a text, which they count in
 * other units, they warn. Where texts count as blank, they only offer.
 */
export function dataValidation(column: LivingColumn, prompt = ''): string {
  const { field, letter, firstRow, choices } = column
  const rule = validationRule(field.rule, `$${letter}${firstRow}`, choices && choices.cells)
  if (rule === null && prompt === '') return ''
  const { type = '', formulas = [] } = rule ?? {}
  const message = shortened(livingTexts.expected(column.expected))
  const isOpen = rule === null || 'separator' in field.rule || column.hasBlankTexts
  const shown = isOpen ? '' : ' showErrorMessage="1"'
  const texts = ` errorTitle="${livingTexts.title}" error="${message}"${prompt}`
  const start = `<dataValidation${type} allowBlank="1"${shown}${texts} sqref="${column.cells}"`
  const tags = formulas.map((formula, index) => {
    const name = `formula${index + 1}`
    return `<${name}>${escapeXml(formula)}</${name}>`
  })
  return tags.length === 0 ? `${start}/>` : `${start}>${tags.join('')}</dataValidation>`
}

export const dataValidations = (columns: readonly LivingColumn[]): string[] =>
  columns.map((column) => dataValidation(column)).filter((tag) => tag !== '')

/** A message without line breaks, escaped. */
export function shortened(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ')
  return escapeXml(line.length <= MAX_MESSAGE ? line : `${clipText(line, MAX_MESSAGE - 1)}…`)
}

type ValidationRule = { readonly type: string; readonly formulas: readonly string[] }

function validationRule(rule: Rule, cell: string, list: string | null): ValidationRule | null {
  switch (rule.type) {
    case 'list':
      // Always a range: a list inside a formula has at most 255 characters, and no commas in its values.
      return list === null ? null : { type: ' type="list"', formulas: [list] }
    case 'text':
      return lengthRule(rule.minLength || 0, rule.maxLength || 0)
    case 'number':
      return custom(`IF(ISTEXT(${cell}),${hasNoLetter(cell)},${numberTest(rule, cell)})`)
    case 'date':
      return custom(`IF(ISNUMBER(${cell}),TRUE,${hasNoLetter(cell)})`)
    case 'pattern':
      return null
  }
}

const custom = (formula: string): ValidationRule => ({ type: ' type="custom"', formulas: [formula] })

const hasNoLetter = (cell: string) => `EXACT(UPPER(${cell}),LOWER(${cell}))`

const numberTest = ({ scale, minimum, maximum }: NumberRule, cell: string): string =>
  joined('AND', [
    ...(scale === undefined ? [] : [`ROUND(${cell},${scale})=${cell}`]),
    ...(minimum === undefined ? [] : [`${cell}>=${numeral(minimum)}`]),
    ...(maximum === undefined ? [] : [`${cell}<=${numeral(maximum)}`]),
  ])

function lengthRule(minimum: number, maximum: number): ValidationRule | null {
  const type = ' type="textLength" errorStyle="warning"'
  if (minimum > 0 && maximum > 0) return { type, formulas: [String(minimum), String(maximum)] }
  if (maximum > 0) return { type: `${type} operator="lessThanOrEqual"`, formulas: [String(maximum)] }
  return minimum > 1 ? { type: `${type} operator="greaterThanOrEqual"`, formulas: [String(minimum)] } : null
}

/** What formulas do not know, as texts: the column, the field, and what of it is checked after an upload. */
export function unknownLines(columns: readonly LivingColumn[], { rules, exempt }: RuleBook): string[][] {
  const lines = columns.map((column) => [column.letter, column.field.name, unknownOf(column)])
  if (rules.length > 0 || exempt !== null) lines.push(['', '', livingTexts.rules])
  return lines.filter(([, , text]) => text !== '')
}

function unknownOf({ field: { rule }, formulaAt, firstRow }: LivingColumn): string {
  if ('checkDigit' in rule && rule.checkDigit !== undefined) return livingTexts.checkDigit
  if (!formulaAt(firstRow).isPartial) return ''
  if (rule.type !== 'list') return livingTexts.form
  return rule.separator === undefined ? livingTexts.longList : livingTexts.several
}
