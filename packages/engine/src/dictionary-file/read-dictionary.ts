import { dictionaryLimits, fileGuards, nameLimits } from '@veridict/contract/limits'
import {
  flagNames,
  type DictionaryColumn,
  dictionaryColumns,
  dictionarySheets,
} from '@veridict/contract/messages/dictionary-file'
import { dictionaryImportMessages as messages } from '@veridict/contract/messages/dictionary-import'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { checkField } from '@veridict/contract/model/check-field'
import type { Field, FieldKey, FieldParts } from '@veridict/contract/model/field'
import {
  ruleSettings,
  type RuleSetting,
  type RuleType,
  ruleTypeNames,
  ruleTypes,
} from '@veridict/contract/model/rule'
import { findNamesakes, labelKey } from '@veridict/contract/notation/label'
import { type HeadingPlaces, readHeadings } from '#dictionary-file/read-headings.ts'
import { type CheckPattern, patternChecker } from '#rules/re2.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { SourceRow } from '#source/table-source.ts'

export type DictionaryRequest = Omit<TableRequest, 'fields'>
export type ReadDictionary = { kind: 'fields'; fields: Field[] } | { kind: 'problems'; problems: string[] }

/**
 * Reads a dictionary's workbook, as `writeDictionary` writes it: all of it, or every problem with its cell
 * (`Row 7, Type: 'Txt' is not one of …`). See docs/BEHAVIOUR.md#dictionary-workbook.
 */
export async function readDictionary(request: DictionaryRequest): Promise<ReadDictionary> {
  try {
    return await readSheet(request)
  } catch (error) {
    if (error instanceof FileProblemError) return { kind: 'problems', problems: [error.message] }
    throw error
  }
}

/** Few: the characters of a batch are counted when all of it is in memory. */
const CELLS_PER_BATCH = 256

async function readSheet(request: DictionaryRequest): Promise<ReadDictionary> {
  const table = await openTable({ ...request, fields: [] })
  const problems: string[] = []
  const places = readHeadings(table.header, problems)
  if (problems.length > 0)
    return { kind: 'problems', problems: [...wrongSheet(table.sheets?.read), ...problems] }
  const fields: Field[] = []
  const namesakeOf = findNamesakes()
  const checkPattern = patternChecker()
  let rowCount = 0
  let characters = 0
  for await (const rows of table.rows({ cellsPerBatch: CELLS_PER_BATCH })) {
    for (const row of rows) {
      for (const cell of row.cells) characters += cell.length
      if (characters > dictionaryLimits.maxImportCharacters)
        return refused(messages.tooManyCharacters(dictionaryLimits.maxImportCharacters))
      // A worksheet cannot have more columns, so no file could ever fit.
      if (++rowCount > fileGuards.maxColumns) return refused(fieldMessages.tooMany(fileGuards.maxColumns))
      if (problems.length > dictionaryLimits.maxFoundProblems) return { kind: 'problems', problems }
      const reader = new FieldReader(row, places, { problems, checkPattern })
      const field = reader.read()
      reader.refuseDuplicateName(namesakeOf)
      if (field !== null) fields.push(field)
    }
  }
  return problems.length > 0 ? { kind: 'problems', problems } : { kind: 'fields', fields }
}

const refused = (problem: string): ReadDictionary => ({ kind: 'problems', problems: [problem] })

function wrongSheet(sheet: string | undefined): string[] {
  return sheet === undefined || labelKey(sheet) === labelKey(dictionarySheets.fields)
    ? []
    : [messages.wrongSheet(sheet)]
}

/** A setting that has a column. */
type SettingColumn = RuleSetting & DictionaryColumn
const settingColumnsOf = (type: RuleType): SettingColumn[] =>
  ruleSettings[type].filter((setting: RuleSetting): setting is SettingColumn => setting in dictionaryColumns)

/** The columns that say something about one type only. */
const settingColumns = ruleTypes.flatMap((type) =>
  settingColumnsOf(type).map((setting) => ({ setting, type })),
)

/** The column of a part of a field. */
const columnOf = (key: FieldKey): DictionaryColumn =>
  key === 'required' ? 'canBeEmpty' : (key as DictionaryColumn)

/** Reads the field of one row. */
class FieldReader {
  readonly #row: SourceRow
  readonly #places: HeadingPlaces
  readonly #problems: string[]
  readonly #checkPattern: CheckPattern

  constructor(
    row: SourceRow,
    places: HeadingPlaces,
    sheet: { problems: string[]; checkPattern: CheckPattern },
  ) {
    this.#row = row
    this.#places = places
    this.#problems = sheet.problems
    this.#checkPattern = sheet.checkPattern
  }

  /** null on error; the problem is already reported. */
  read(): Field | null {
    const reported = this.#problems.length
    const type = this.#ruleType()
    const required = !this.#flag('canBeEmpty')
    const identifiesRow = this.#flag('identifiesRow')
    // Without a type, the row is checked as a text, so that its other problems are reported too.
    const rule = type === null ? { type: 'text' } : this.#rule(type)
    if (this.#problems.length > reported && type !== null) return null
    const checked = checkField({
      name: this.#text('name'),
      description: this.#text('description'),
      category: this.#text('category'),
      required,
      identifiesRow,
      ...rule,
    })
    if (!checked.ok) for (const { key, message } of checked.problems) this.#report(columnOf(key), message)
    return checked.ok && type !== null ? checked.field : null
  }

  refuseDuplicateName(namesakeOf: ReturnType<typeof findNamesakes>): void {
    const earlier = namesakeOf(this.#text('name'), this.#row.rowNumber)
    if (earlier !== undefined)
      this.#report('name', messages.duplicateName(this.#text('name').trim(), earlier))
  }

  #ruleType(): RuleType | null {
    const text = this.#text('type').trim()
    const found = ruleTypes.find((type) => labelKey(ruleTypeNames[type]) === labelKey(text))
    if (found !== undefined) return found
    const choices = Object.values(ruleTypeNames)
    this.#report('type', text === '' ? fieldMessages.typeRequired : messages.notOneOf(text, choices))
    return null
  }

  /** Nothing means No. */
  #flag(column: 'canBeEmpty' | 'identifiesRow'): boolean {
    const text = this.#text(column).trim()
    if (text === '' || labelKey(text) === labelKey(flagNames.no)) return false
    if (labelKey(text) !== labelKey(flagNames.yes))
      this.#report(column, messages.notOneOf(text, Object.values(flagNames)))
    return true
  }

  #rule(type: RuleType): FieldParts {
    this.#refuseOtherTypes(type)
    const settings = settingColumnsOf(type).map((setting) => [setting, this.#readers[setting]()])
    return { type, ...Object.fromEntries(settings) }
  }

  readonly #readers: { readonly [Setting in SettingColumn]: () => FieldParts[Setting] } = {
    minLength: () => this.#number('minLength'),
    maxLength: () => this.#number('maxLength'),
    scale: () => this.#number('scale'),
    minimum: () => this.#number('minimum'),
    maximum: () => this.#number('maximum'),
    format: () => this.#text('format').trim(),
    pattern: () => this.#pattern(),
    options: () => this.#options(),
  }

  /** A value that the type has no use for is a slip, most likely of the type. */
  #refuseOtherTypes(ruleType: RuleType): void {
    for (const { setting, type } of settingColumns) {
      const text = setting === 'options' ? this.#options().join(', ') : this.#text(setting).trim()
      if (type !== ruleType && text !== '')
        this.#report(setting, messages.notOfType(text, ruleTypeNames[ruleType]))
    }
  }

  #number(column: DictionaryColumn): number | null {
    const text = this.#text(column).trim()
    if (text === '') return null
    if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return Number(text)
    this.#report(column, messages.notANumber(text))
    return null
  }

  /** Not trimmed: a space may belong to it. */
  #pattern(): string {
    const pattern = this.#text('pattern')
    // `checkField` refuses one that is too long.
    const reason = pattern.length > nameLimits.maxTextLength ? null : this.#checkPattern(pattern)
    if (reason !== null) this.#report('pattern', fieldMessages.patternInvalid(reason))
    return pattern
  }

  #options(): string[] {
    return this.#places.options
      .flatMap((position) => (this.#row.cells[position] ?? '').split(/\r\n|\r|\n/))
      .map((option) => option.trim())
      .filter((option) => option !== '')
  }

  #text(column: DictionaryColumn): string {
    const position = this.#places.columns[column]
    return position === undefined ? '' : (this.#row.cells[position] ?? '')
  }

  #report(column: DictionaryColumn, problem: string): void {
    this.#problems.push(messages.at(this.#row.rowNumber, dictionaryColumns[column], problem))
  }
}
