import {
  canBeEmptyNames,
  type DictionaryColumn,
  dictionaryColumns,
  dictionaryGuide,
  dictionaryGuideHeadings,
  dictionarySheets,
  furtherOptionsColumn,
} from '@veridict/contract/messages/dictionary-file'
import type { Dictionary, Field } from '@veridict/contract/model/field'
import { ruleToWire, ruleTypeNames } from '@veridict/contract/model/rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { plainDecimal } from '#plain-decimal.ts'
import {
  areaOf,
  CellStyle,
  contentTypes,
  MAX_SHEET_ROWS,
  packageRelationships,
  sheetEnd,
  sheetStart,
  type SheetPlan,
  stylesPart,
  workbookPart,
  workbookRelationships,
} from '#formats/spreadsheet/workbook-parts.ts'
import { writeZip, type ZipPart } from '#formats/zip/write-zip.ts'
import { MAX_CELL_TEXT, sheetRow, xmlPart } from '#formats/xml/write-xml.ts'
import type { Platform } from '#platform.ts'

const SHEETS: readonly SheetPlan[] = [
  { name: dictionarySheets.fields, notes: false },
  { name: dictionarySheets.guide, notes: false },
]
const COLUMNS = Object.keys(dictionaryColumns) as DictionaryColumn[]
const FIELD_WIDTHS = [28, 40, 16, 20, 13, 11, 11, 8, 12, 12, 14, 32, 32]
const GUIDE_WIDTHS = [20, 90, 36]

/**
 * A dictionary as a workbook: sheet Fields with one row per field in order and drop-downs for Type and Can be
 * empty, and sheet Guide. Reading it again gives an equal dictionary; the same dictionary gives the same
 * bytes.
 */
export async function* writeDictionary(
  dictionary: Dictionary,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  const part = (name: string, text: string): ZipPart => ({ name, content: xmlPart(text, platform) })
  yield* writeZip(
    [
      part('[Content_Types].xml', contentTypes(SHEETS)),
      part('_rels/.rels', packageRelationships),
      part('xl/workbook.xml', workbookPart(SHEETS)),
      part('xl/_rels/workbook.xml.rels', workbookRelationships(SHEETS)),
      part('xl/styles.xml', stylesPart),
      part('xl/worksheets/sheet1.xml', fieldsSheet(dictionary.fields)),
      part('xl/worksheets/sheet2.xml', guideSheet()),
    ],
    platform,
  )
}

function fieldsSheet(fields: readonly Field[]): string {
  const rows = fields.map(fieldTexts)
  const width = Math.max(COLUMNS.length, ...rows.map((texts) => texts.length))
  const further = Array.from({ length: width - COLUMNS.length }, (_, index) =>
    furtherOptionsColumn(index + 2),
  )
  const headings = [...COLUMNS.map((column) => dictionaryColumns[column]), ...further]
  return (
    sheetStart([...FIELD_WIDTHS, ...further.map(() => FIELD_WIDTHS[FIELD_WIDTHS.length - 1])]) +
    sheetRow(1, CellStyle.Heading, headings) +
    rows.map((texts, index) => sheetRow(index + 2, CellStyle.Wrapped, texts)).join('') +
    sheetEnd({ area: areaOf(width, rows.length + 1), filter: false, extra: dropDowns() })
  )
}

/** The cells of a field's row; of a long list the last ones stand behind the headed columns. */
function fieldTexts(field: Field): string[] {
  const { ruleType, config } = ruleToWire(field.rule)
  const lists = splitLines(config.optionSetValues ?? [])
  const texts: Record<DictionaryColumn, string> = {
    name: field.name,
    description: field.description,
    category: field.category,
    type: ruleTypeNames[ruleType],
    canBeEmpty: field.required ? canBeEmptyNames.no : canBeEmptyNames.yes,
    minLength: numberText(config.minLength),
    maxLength: numberText(config.maxLength),
    scale: numberText(config.scale),
    minimum: numberText(config.min),
    maximum: numberText(config.max),
    format: config.format ?? '',
    pattern: config.regularExpression ?? '',
    options: lists[0] ?? '',
  }
  return [...COLUMNS.map((column) => texts[column]), ...lists.slice(1)]
}

const numberText = (value: number | null | undefined): string => (value == null ? '' : plainDecimal(value))

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

function dropDowns(): string {
  const list = (column: DictionaryColumn, choices: readonly string[]) => {
    const letter = columnLetter(COLUMNS.indexOf(column))
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${letter}2:${letter}${MAX_SHEET_ROWS}"><formula1>"${choices.join(',')}"</formula1></dataValidation>`
  }
  const validations = [
    list('type', Object.values(ruleTypeNames)),
    list('canBeEmpty', Object.values(canBeEmptyNames)),
  ]
  return `<dataValidations count="${validations.length}">${validations.join('')}</dataValidations>`
}

function guideSheet(): string {
  const rows = COLUMNS.map((column) => [dictionaryColumns[column], ...dictionaryGuide[column]])
  return (
    sheetStart(GUIDE_WIDTHS) +
    sheetRow(1, CellStyle.Heading, dictionaryGuideHeadings) +
    rows.map((texts, index) => sheetRow(index + 2, CellStyle.Wrapped, texts)).join('') +
    sheetEnd({ area: areaOf(dictionaryGuideHeadings.length, rows.length + 1), filter: false })
  )
}
