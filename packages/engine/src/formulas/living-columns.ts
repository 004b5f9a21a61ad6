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

/** A column of a sheet that spreadsheet programs check, and the formula of its first cell. */
export type LivingColumn = CellFormula & {
  readonly field: Field
  readonly letter: string
  /** What is expected of a value. */
  readonly expected: string
  /** Whether a text may stand there that counts as blank, whatever is expected. */
  readonly hasBlankTexts: boolean
}

/** Below the headings. */
const FIRST_ROW = 2

/** The columns of a sheet with nothing but the table. */
export function livingColumns(
  columns: readonly { readonly field: Field; readonly expected: string }[],
  { exempt, blankTexts }: RuleBook,
): LivingColumn[] {
  const row = `$A${FIRST_ROW}:$${columnLetter(columns.length - 1)}${FIRST_ROW}`
  const scope = { row, hasExemption: exempt !== null, blankTexts }
  return columns.map(({ field, expected }, index) => {
    const letter = columnLetter(index)
    const formula = cellFormula(field, firstCell(letter), scope)
    return { ...formula, field, letter, expected, hasBlankTexts: blankTexts.length > 0 }
  })
}

const firstCell = (letter: string) => `$${letter}${FIRST_ROW}`

/** All cells of a column below its heading. */
const cellsOf = ({ letter }: LivingColumn) => `${letter}${FIRST_ROW}:${letter}${worksheetBounds.maxRows}`

/** How each of our formulas begins: text that does nothing, by which a copy can recognize them. */
const SIGNATURE = 'IF(N("Veridict")=0,'

/** `<conditionalFormatting>` elements: what is surely wrong looks as `style` says, a `dxf` of the styles. */
export function conditionalFormats(columns: readonly LivingColumn[], style: number): string[] {
  return columns.map((column, index) => {
    const formula = escapeXml(`${SIGNATURE}${column.wrong})`)
    return (
      `<conditionalFormatting sqref="${cellsOf(column)}">` +
      `<cfRule type="expression" dxfId="${style}" priority="${index + 1}">` +
      `<formula>${formula}</formula></cfRule></conditionalFormatting>`
    )
  })
}

/** The longest message or prompt, in UTF-16 code units: Excel calls a workbook with a longer one damaged. */
const MAX_MESSAGE = 255

/**
 * The `<dataValidation>` element of a column, '' if there is nothing to say. `list` is the range of its
 * options; `prompt` is shown in each cell. Programs refuse with it what the engine refuses, too; only of the
 * length of a text, which they count in other units, they warn. Where texts count as blank, they only offer.
 */
export function dataValidation(
  column: LivingColumn,
  { list, prompt }: { list: string | null; prompt: string },
): string {
  const rule = validationRule(column.field.rule, firstCell(column.letter), list)
  if (rule === null && prompt === '') return ''
  const { type = '', formulas = [] } = rule ?? {}
  const message = shortened(livingTexts.expected(column.expected))
  const isOpen = rule === null || 'separator' in column.field.rule || column.hasBlankTexts
  const shown = isOpen ? '' : ' showErrorMessage="1"'
  const texts = ` errorTitle="${livingTexts.title}" error="${message}"${prompt}`
  const start = `<dataValidation${type} allowBlank="1"${shown}${texts} sqref="${cellsOf(column)}"`
  const tags = formulas.map((formula, index) => {
    const name = `formula${index + 1}`
    return `<${name}>${escapeXml(formula)}</${name}>`
  })
  return tags.length === 0 ? `${start}/>` : `${start}>${tags.join('')}</dataValidation>`
}

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

function unknownOf({ field: { rule }, isPartial }: LivingColumn): string {
  if ('checkDigit' in rule && rule.checkDigit !== undefined) return livingTexts.checkDigit
  if (!isPartial) return ''
  if (rule.type !== 'list') return livingTexts.form
  return rule.separator === undefined ? livingTexts.longList : livingTexts.several
}
