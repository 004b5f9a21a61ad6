import { worksheetBounds } from '@veridict/contract/limits'
import { livingTexts, needNames, templateTexts } from '@veridict/contract/messages/template-file'
import type { Field } from '@veridict/contract/model/field'
import type { NumberRule, Rule } from '@veridict/contract/model/rule'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { labelKey } from '@veridict/contract/notation/label'
import { ruleSentence } from '@veridict/contract/notation/rule-sentence'
import { clipText, MAX_CELL_TEXT } from '#formats/spreadsheet/write-cells.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { fitting, isPartial, joined, NEVER, not, numeral, say } from '#formulas/formula-text.ts'
import { type Demand, demandsOf, RowFormulas } from '#formulas/rule-formulas.ts'
import type { TextPlatform } from '#platform.ts'
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
  /** Whether formulas do not know all that its field asks. */
  readonly isPartial: boolean
  /** Whether its cell in a row, from 1, is wrong by itself. */
  formulaAt(row: number): string
  /** Whether one of some demands of rules between cells is not met in a row. */
  unmetAt(row: number, demands: readonly Demand[]): string
  /** Those that read it. */
  readonly demands: readonly Demand[]
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

/** One per field, in order; none where the sheet has not so many. `day` is that of the file. */
export function livingColumns(
  fields: readonly Field[],
  { day = '', ...book }: RuleBook & { readonly day?: string },
  { table: { headerRowNumber, firstColumn }, listSheet, firstListColumn }: LivingPlace,
  platform: TextPlatform,
): LivingColumn[] {
  if (firstColumn + fields.length > worksheetBounds.maxColumns) return []
  const choicesOf = listChoices(fields, listSheet, firstListColumn)
  const letters = fields.map((_, index) => columnLetter(firstColumn + index))
  const firstRow = headerRowNumber + 1
  const columns = new Map(
    fields.map((field, index) => [labelKey(field.name), { field, letter: letters[index] }]),
  )
  const table = { columns, letters, book }
  const demands = demandsOf(book, day)
  return fields.map((field, index) => {
    const letter = letters[index]
    const key = labelKey(field.name)
    return {
      field,
      letter,
      isPartial: isPartial(new RowFormulas(table, firstRow).ofCell(key, NEVER)),
      formulaAt: (row) => new RowFormulas(table, row).ofCell(key),
      unmetAt: (row, some) => new RowFormulas(table, row).ofDemands(some),
      demands: demands.filter((demand) => demand.columns.includes(key)),
      expected: compileRule(field, platform, null).expected,
      hasBlankTexts: book.blankTexts.length > 0,
      choices: choicesOf(field),
      cells: `${letter}${firstRow}:${letter}${worksheetBounds.maxRows}`,
      firstRow,
    }
  })
}

/** Options as the engine compares them: trimmed, without duplicates. */
const optionsOf = ({ rule }: Field): string[] =>
  rule.type !== 'list'
    ? []
    : [...new Set(rule.options.map((option) => option.trim()).filter((option) => option !== ''))]

/** The ranges of the lists of fields; equal lists share one. null if a list does not fit on a sheet. */
function listChoices(fields: readonly Field[], sheet: string, firstColumn: number) {
  const ranges = new Map<string, ListRange>()
  for (const field of fields) {
    const options = optionsOf(field)
    const column = firstColumn + ranges.size
    const isFitting = options.length < worksheetBounds.maxRows && column < worksheetBounds.maxColumns
    if (options.length === 0 || !isFitting || ranges.has(JSON.stringify(options))) continue
    const cells = `'${sheet}'!$${columnLetter(column)}$2:$${columnLetter(column)}$${options.length + 1}`
    ranges.set(JSON.stringify(options), { cells, heading: field.name, options })
  }
  return (field: Field): ListRange | null => ranges.get(JSON.stringify(optionsOf(field))) ?? null
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
 * What is surely wrong is red, or yellow where rules only warn; marked cells are plain once surely right.
 * `looks` are indexes of `dxf` elements; `markedOf` has a column's marked ranges, from top to bottom.
 */
export function conditionalFormats(
  columns: readonly LivingColumn[],
  looks: Readonly<Record<'bad' | 'warning' | 'plain', number>>,
  markedOf: (column: LivingColumn) => readonly string[] = () => [],
): string[] {
  const bad = columns.map((column) => ({
    cells: column.cells,
    formula: column.formulaAt(column.firstRow),
    look: looks.bad,
  }))
  // Of formats that hold, the first one shows.
  const demands = [...new Set(columns.flatMap((column) => column.demands))].toSorted(
    (one, other) => Number(one.isWarning) - Number(other.isWarning),
  )
  const unmet = demands.map((demand) => ({
    cells: columns.flatMap((one) => (one.demands.includes(demand) ? one.cells : [])).join(' '),
    formula: columns[0].unmetAt(columns[0].firstRow, [demand]),
    look: demand.isWarning ? looks.warning : looks.bad,
  }))
  const plain = columns.flatMap((column) => {
    const marked = markedOf(column)
    return Array.from({ length: Math.ceil(marked.length / MAX_RANGES) }, (_, index) => {
      const ranges = marked.slice(index * MAX_RANGES, (index + 1) * MAX_RANGES)
      // A formula belongs to the first of the cells.
      const row = Number(/\d+/.exec(ranges[0]))
      const isAnyWrong = joined('OR', [column.formulaAt(row), column.unmetAt(row, column.demands)])
      return { cells: ranges.join(' '), formula: not(fitting(isAnyWrong)), look: looks.plain }
    })
  })
  return [...bad, ...unmet, ...plain].map(
    ({ cells, formula, look }, index) =>
      `<conditionalFormatting sqref="${cells}">` +
      `<cfRule type="expression" dxfId="${look}" priority="${index + 1}">` +
      `<formula>${escapeXml(`${SIGNATURE}${formula})`)}</formula></cfRule></conditionalFormatting>`,
  )
}

/** The longest message or prompt, in UTF-16 code units: Excel calls a workbook with a longer one damaged. */
const MAX_MESSAGE = 225

/**
 * With these elements, programs refuse only what the engine refuses, too. They only warn of the length of a
 * text, which they count in other units; where texts count as blank, they only offer. Where values have a
 * form of their own, each cell also says it.
 */
export const dataValidations = (columns: readonly LivingColumn[]): string[] =>
  columns.map(dataValidation).filter((tag) => tag !== '')

function dataValidation(column: LivingColumn): string {
  const { field, letter, firstRow, choices } = column
  const [type, ...formulas] = validationRule(field.rule, `$${letter}${firstRow}`, choices && choices.cells)
  const hasForm = field.rule.type === 'date' || field.rule.type === 'pattern'
  const isNone = formulas.length === 0
  if (isNone && !hasForm) return ''
  const message = shortened(livingTexts.expected(column.expected))
  const isOpen = isNone || 'separator' in field.rule || column.hasBlankTexts
  const shown = isOpen ? '' : ' showErrorMessage="1"'
  const prompt = ` showInputMessage="1" promptTitle="${needOf(field)}" prompt="${message}"`
  const texts = ` errorTitle="${livingTexts.title}" error="${message}"${hasForm ? prompt : ''}`
  const kind = isNone ? '' : ` type="${type}"`
  const style = type === 'textLength' ? ' errorStyle="warning"' : ''
  const start = `<dataValidation${kind}${style} allowBlank="1"${shown}${texts} sqref="${column.cells}"`
  const tags = formulas.map((one, at) => `<formula${at + 1}>${escapeXml(one)}</formula${at + 1}>`)
  return isNone ? `${start}/>` : `${start}>${tags.join('')}</dataValidation>`
}

export const needOf = ({ required }: Pick<Field, 'required'>) =>
  required ? needNames.required : needNames.optional

/** A message without line breaks, escaped. */
function shortened(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ')
  return escapeXml(line.length <= MAX_MESSAGE ? line : `${clipText(line, MAX_MESSAGE - 1)}…`)
}

/** The type of a rule for input, and its formulas; nothing where there is none. */
function validationRule(rule: Rule, cell: string, list: string | null): string[] {
  switch (rule.type) {
    case 'list':
      // Always a range: a list inside a formula has at most 255 characters, and no commas in its values.
      return list === null ? [] : ['list', list]
    case 'text':
      if (!rule.minLength && !rule.maxLength) return []
      return ['textLength', String(rule.minLength || 0), String(rule.maxLength || MAX_CELL_TEXT)]
    case 'number':
      return ['custom', say('typedNumber', { cell, isWithin: numberTest(rule, cell) })]
    case 'date':
      return ['custom', say('typedDate', { cell })]
    case 'pattern':
      return []
  }
}

const numberTest = ({ scale, minimum, maximum }: NumberRule, cell: string): string =>
  joined('AND', [
    ...(scale === undefined ? [] : [`ROUND(${cell},${scale})=${cell}`]),
    ...(minimum === undefined ? [] : [`${cell}>=${numeral(minimum)}`]),
    ...(maximum === undefined ? [] : [`${cell}<=${numeral(maximum)}`]),
  ])

/** What formulas do not know, as texts: the column, the field or rule, and what of it. */
export function unknownLines(columns: readonly LivingColumn[]): string[][] {
  const lines = columns.map((column) => [column.letter, column.field.name, unknownOf(column)])
  const isKnown = (demand: Demand) => !isPartial(columns[0].unmetAt(columns[0].firstRow, [demand]))
  const demands = columns.flatMap((column) => column.demands)
  const unknown = new Set(demands.filter((demand) => !isKnown(demand)).map(({ rule }) => rule))
  for (const rule of unknown) lines.push(['', rule.name, ruleSentence(rule)])
  if (columns.some((column) => !column.isPartial && isPartial(column.formulaAt(column.firstRow))))
    lines.push(['', '', templateTexts.exempt])
  return lines.filter(([, , text]) => text !== '')
}

function unknownOf({ field: { rule }, ...column }: LivingColumn): string {
  if (!column.isPartial) return ''
  if ('checkDigit' in rule && rule.checkDigit !== undefined) return livingTexts.checkDigit
  if (rule.type !== 'list') return livingTexts.form
  return rule.separator === undefined ? livingTexts.longList : livingTexts.several
}
