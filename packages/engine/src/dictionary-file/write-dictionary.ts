import { worksheetBounds } from '@veridict/contract/limits'
import {
  columnsOf,
  dictionaryGuide,
  dictionarySheets,
  type FieldColumn,
  flagNames,
  furtherColumn,
  separatorNames,
  severityNames,
  type SheetLayout,
} from '@veridict/contract/messages/dictionary-file'
import { type Dictionary, type Field, partsOf } from '@veridict/contract/model/field'
import { ruleBookOf } from '@veridict/contract/model/row-rule'
import { checkDigitNames, ruleTypeNames, type SettingValues } from '@veridict/contract/model/rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { sentenceExamples } from '@veridict/contract/notation/rule-sentence'
import { listRows, ruleRows, settingRows } from '#dictionary-file/rule-sheets.ts'
import { MAX_CELL_TEXT, textRow } from '#formats/spreadsheet/write-cells.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { writeWorkbook } from '#formats/spreadsheet/write-workbook.ts'
import { CellStyle, cellStyles, textColumns } from '#output/cell-styles.ts'
import { plainDecimal } from '#plain-decimal.ts'
import type { Platform } from '#platform.ts'

/**
 * Sheet Fields with one row per field in order, sheets Rules, Lists and Settings with the rules between
 * cells, drop-downs for few values, and sheet Guide. Reading it again gives an equal dictionary; the same
 * dictionary gives the same bytes. See docs/BEHAVIOUR.md#dictionary-workbook.
 */
export function writeDictionary(
  { fields, ...rules }: Dictionary,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  const book = ruleBookOf(rules)
  const { fields: fieldSheet, rules: ruleSheet, lists, settings } = dictionarySheets
  const sheets = [
    layoutSheet(fieldSheet, fields.map(fieldTexts), {
      type: Object.values(ruleTypeNames),
      canBeEmpty: Object.values(flagNames),
      identifiesRow: Object.values(flagNames),
      checkDigit: Object.values(checkDigitNames),
    }),
    layoutSheet(ruleSheet, ruleRows(book), { severity: severityNames }),
    layoutSheet(lists, listRows(book)),
    layoutSheet(settings, settingRows(book)),
    textSheet(dictionaryGuide.name, dictionaryGuide.headings, guideRows(), dictionaryGuide.widths),
  ]
  return writeWorkbook({ sheets, styles: cellStyles }, platform)
}

/** `rows`: by column the text of a cell, or of several where it continues. `choices`: its drop-downs. */
function layoutSheet<Column extends string>(
  layout: SheetLayout<Column>,
  rows: readonly Readonly<Partial<Record<Column, string | readonly string[]>>>[],
  choices?: Readonly<Partial<Record<Column, readonly string[]>>>,
): NewSheet {
  const parts = (row: (typeof rows)[number], column: Column) => [row[column] ?? ''].flat()
  const places = columnsOf(layout).map((column) => ({ column, part: 0 }))
  const validations = places.flatMap(({ column }, position) => {
    const offered: readonly string[] | undefined = choices?.[column]
    return offered === undefined ? [] : [dropDown(position, offered)]
  })
  for (const column of layout.continued) {
    const most = rows.reduce((count, row) => Math.max(count, parts(row, column).length), 1)
    for (let part = 1; part < most; part++) places.push({ column, part })
  }
  const headings = places.map(({ column, part }) => {
    const { heading } = layout.columns[column]
    return part === 0 ? heading : furtherColumn(heading, part + 1)
  })
  const texts = rows.map((row) => places.map(({ column, part }) => parts(row, column)[part] ?? ''))
  const widths = places.map(({ column }) => layout.columns[column].width)
  return textSheet(layout.name, headings, texts, widths, validations)
}

const guideRows = (): string[][] =>
  Object.values(dictionarySheets).flatMap(({ name, columns }) => [
    ...Object.values(columns).map(({ heading, meaning, example }) => [
      name === dictionarySheets.fields.name ? heading : `${name}: ${heading}`,
      meaning,
      example,
    ]),
    ...(name === dictionarySheets.rules.name
      ? sentenceExamples().map((sentence) => [dictionaryGuide.sentence, sentence])
      : []),
  ])

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

function fieldTexts(field: Field): Partial<Record<FieldColumn, string | string[]>> {
  const {
    type,
    required,
    options = [],
    separator = '',
    checkDigit,
    ...parts
  }: ReturnType<typeof partsOf> & SettingValues = partsOf(field)
  return {
    ...Object.fromEntries(Object.entries(parts).map(([key, value]) => [key, cellText(value)])),
    type: ruleTypeNames[type],
    canBeEmpty: cellText(!required),
    options: splitLines(options),
    separator: separatorNames[separator] ?? separator,
    checkDigit: checkDigit && checkDigitNames[checkDigit],
  }
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

function dropDown(position: number, choices: readonly string[]): string {
  const letter = columnLetter(position)
  return (
    '<dataValidation type="list" allowBlank="1" showErrorMessage="1" ' +
    `sqref="${letter}2:${letter}${worksheetBounds.maxRows}">` +
    `<formula1>"${choices.join(',')}"</formula1></dataValidation>`
  )
}
