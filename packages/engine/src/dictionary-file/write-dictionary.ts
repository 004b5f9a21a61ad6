import { worksheetBounds } from '@veridict/contract/limits'
import {
  flagNames,
  type DictionaryColumn,
  dictionaryColumns,
  dictionaryGuide,
  dictionaryGuideHeadings,
  dictionarySheets,
  furtherOptionsColumn,
} from '@veridict/contract/messages/dictionary-file'
import { type Dictionary, type Field, partsOf } from '@veridict/contract/model/field'
import { ruleTypeNames, type SettingValues } from '@veridict/contract/model/rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { MAX_CELL_TEXT, textRow } from '#formats/spreadsheet/write-cells.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { writeWorkbook } from '#formats/spreadsheet/write-workbook.ts'
import { CellStyle, cellStyles, textColumns } from '#output/cell-styles.ts'
import { plainDecimal } from '#plain-decimal.ts'
import type { Platform } from '#platform.ts'

const COLUMNS = Object.keys(dictionaryColumns) as DictionaryColumn[]
const SETTING_WIDTH = 12
const WIDTHS: Readonly<Partial<Record<DictionaryColumn, number>>> = {
  name: 28,
  description: 40,
  category: 16,
  type: 20,
  canBeEmpty: 13,
  identifiesRow: 18,
  minLength: 11,
  maxLength: 11,
  scale: 8,
  format: 14,
  pattern: 32,
  options: 32,
}
const GUIDE_WIDTHS = [20, 90, 36]
const DROP_DOWNS = [
  dropDown('type', Object.values(ruleTypeNames)),
  dropDown('canBeEmpty', Object.values(flagNames)),
  dropDown('identifiesRow', Object.values(flagNames)),
]

/**
 * A dictionary as a workbook: sheet Fields with one row per field in order and drop-downs for Type and for
 * Yes and No, and sheet Guide. Reading it again gives an equal dictionary; the same dictionary gives the same
 * bytes. See docs/BEHAVIOUR.md#dictionary-workbook.
 */
export const writeDictionary = ({ fields }: Dictionary, platform: Platform): AsyncGenerator<Uint8Array> =>
  writeWorkbook({ sheets: [fieldsSheet(fields), guideSheet()], styles: cellStyles }, platform)

function fieldsSheet(fields: readonly Field[]): NewSheet {
  const rows = fields.map(fieldTexts)
  const width = Math.max(COLUMNS.length, ...rows.map((texts) => texts.length))
  const further = Array.from({ length: width - COLUMNS.length }, (_, index) =>
    furtherOptionsColumn(index + 2),
  )
  const headings = [...COLUMNS.map((column) => dictionaryColumns[column]), ...further]
  return textSheet(
    dictionarySheets.fields,
    headings,
    rows,
    [...COLUMNS, ...further.map(() => 'options' as const)].map((column) => WIDTHS[column] ?? SETTING_WIDTH),
    DROP_DOWNS,
  )
}

function guideSheet(): NewSheet {
  const rows = COLUMNS.map((column) => [dictionaryColumns[column], ...dictionaryGuide[column]])
  return textSheet(dictionarySheets.guide, dictionaryGuideHeadings, rows, GUIDE_WIDTHS)
}

function textSheet(
  name: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  validations: readonly string[] = [],
): NewSheet {
  return {
    name,
    columns: textColumns(widths),
    validations,
    rows: [
      textRow(1, CellStyle.Heading, headings),
      ...rows.map((texts, index) => textRow(index + 2, CellStyle.Wrapped, texts)),
    ],
    rowCount: () => rows.length + 1,
  }
}

/** The cells of a field's row. A long list continues in columns after those with a heading. */
function fieldTexts(field: Field): string[] {
  const {
    type,
    required,
    options = [],
    ...parts
  }: ReturnType<typeof partsOf> & SettingValues = partsOf(field)
  const [list, ...further] = splitLines(options)
  const values: Partial<Record<DictionaryColumn, unknown>> = {
    ...parts,
    type: ruleTypeNames[type],
    canBeEmpty: !required,
    options: list,
  }
  return [...COLUMNS.map((column) => cellText(values[column])), ...further]
}

function cellText(value: unknown): string {
  if (typeof value === 'boolean') return value ? flagNames.yes : flagNames.no
  return typeof value === 'number' ? plainDecimal(value) : String(value ?? '')
}

/** Values one per line, in as many texts as cells can hold them. */
function splitLines(values: readonly string[]): string[] {
  const texts: string[] = []
  for (const value of values) {
    const last = texts.length - 1
    if (last >= 0 && texts[last].length + 1 + value.length <= MAX_CELL_TEXT) texts[last] += `\n${value}`
    else texts.push(value)
  }
  return texts
}

function dropDown(column: DictionaryColumn, choices: readonly string[]): string {
  const letter = columnLetter(COLUMNS.indexOf(column))
  return (
    '<dataValidation type="list" allowBlank="1" showErrorMessage="1" ' +
    `sqref="${letter}2:${letter}${worksheetBounds.maxRows}">` +
    `<formula1>"${choices.join(',')}"</formula1></dataValidation>`
  )
}
