import { dictionaryLimits, fileGuards, nameLimits } from '@veridict/contract/limits'
import {
  dictionarySheets,
  type FieldColumn,
  flagNames,
  separatorNames,
  type SheetLayout,
} from '@veridict/contract/messages/dictionary-file'
import { dictionaryImportMessages as messages } from '@veridict/contract/messages/dictionary-import'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { checkField, type FieldBounds } from '@veridict/contract/model/check-field'
import { ErrorType } from '@veridict/contract/model/verdict'
import type { Field, FieldParts } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import {
  checkDigitNames,
  type CheckDigitScheme,
  checkDigitSchemes,
  ruleSettings,
  type RuleSetting,
  type RuleType,
  ruleTypeNames,
  ruleTypes,
} from '@veridict/contract/model/rule'
import { findNamesakes, labelKey } from '@veridict/contract/notation/label'
import { checkRuleBook } from '#check-rule-book.ts'
import { readHeadings, sheetRow, type SheetRow } from '#dictionary-file/dictionary-sheet.ts'
import { RuleSheets } from '#dictionary-file/rule-sheets.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { type CheckPattern, patternChecker } from '#rules/re2.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import type { SourceRow, TableSource } from '#source/table-source.ts'

export type DictionaryRequest = Omit<TableRequest, 'fields' | 'ruleBook'> & {
  /** 'portal' by default. */
  bounds?: FieldBounds
}
export type ReadDictionary =
  | { kind: 'dictionary'; fields: Field[]; ruleBook: RuleBook }
  | { kind: 'problems'; problems: string[] }

/**
 * As `writeDictionary` writes it: all of it, or every problem with its cell (`Row 7, Type: 'Txt' is not one
 * of …`). See docs/BEHAVIOUR.md#dictionary-workbook.
 */
export async function readDictionary(request: DictionaryRequest): Promise<ReadDictionary> {
  const reader = new WorkbookReader(request)
  try {
    const read = await reader.read()
    return read === null ? { kind: 'problems', problems: reader.problems } : { kind: 'dictionary', ...read }
  } catch (error) {
    if (error instanceof FileProblemError) return { kind: 'problems', problems: [error.message] }
    throw error
  }
}

/** Few: the characters of a batch are counted when all of it is in memory. */
const CELLS_PER_BATCH = 256

class WorkbookReader {
  readonly problems: string[] = []
  readonly #request: DictionaryRequest
  #characters = 0

  constructor(request: DictionaryRequest) {
    this.#request = request
  }

  /** null on error; the problems are already reported. Throws `FileProblemError`. */
  async read(): Promise<{ fields: Field[]; ruleBook: RuleBook } | null> {
    const table = await openTable({ ...this.#request, fields: [] })
    const rows = this.#rows(table, dictionarySheets.fields)
    if (rows === null) {
      this.problems.unshift(...wrongSheet(table.sheets?.read))
      return null
    }
    const fields = await this.#fields(rows)
    const sheets = new RuleSheets()
    for await (const row of this.#otherRows(table, dictionarySheets.lists)) sheets.takeList(row)
    for await (const row of this.#otherRows(table, dictionarySheets.settings)) sheets.takeSetting(row)
    const isSound = this.problems.length === 0
    for await (const row of this.#otherRows(table, dictionarySheets.rules)) sheets.takeRule(row)
    // Rules would seem wrong for each field and list that was refused.
    if (!isSound) return null
    const checked = checkRuleBook(sheets.book, fields, this.#request.platform)
    if (!checked.ok)
      for (const fault of checked.faults) sheets.report(fault, (problem) => this.problems.push(problem))
    return checked.ok && this.problems.length === 0 ? { fields, ruleBook: checked.book } : null
  }

  async #fields(rows: AsyncIterable<FieldRow>): Promise<Field[]> {
    const fields: Field[] = []
    const namesakeOf = findNamesakes()
    const checkPattern = patternChecker()
    let rowCount = 0
    for await (const row of rows) {
      // A worksheet cannot have more columns, so no file could ever fit.
      if (++rowCount > fileGuards.maxColumns)
        throw new FileProblemError(ErrorType.BeyondLimit, fieldMessages.tooMany(fileGuards.maxColumns))
      const field = new FieldReader(row, checkPattern, this.#request.bounds).read(this.problems)
      const earlier = namesakeOf(row.text('name'), row.rowNumber)
      if (earlier !== undefined) row.report('name', messages.duplicateName(row.text('name').trim(), earlier))
      if (field !== null) fields.push(field)
    }
    return fields
  }

  async *#otherRows<Column extends string>(
    table: TableSource,
    layout: SheetLayout<Column>,
  ): AsyncGenerator<SheetRow<Column>> {
    const sheet = await table.sheets?.open(layout.name)
    const rows = sheet && this.#rows(sheet, layout)
    if (rows) yield* rows
  }

  /** null if the headings are wrong. Ends early if there are too many problems. */
  #rows<Column extends string>(
    table: TableSource,
    layout: SheetLayout<Column>,
  ): AsyncGenerator<SheetRow<Column>> | null {
    const isFirst = layout.name === dictionarySheets.fields.name
    const report = (problem: string) =>
      void this.problems.push(isFirst ? problem : messages.onSheet(layout.name, problem))
    const places = readHeadings(table.header, layout, report)
    return places && this.#read(table, (row) => sheetRow(row, places, layout, report))
  }

  async *#read<Row>(table: TableSource, asRow: (row: SourceRow) => Row): AsyncGenerator<Row> {
    for await (const rows of table.rows({ cellsPerBatch: CELLS_PER_BATCH })) {
      for (const row of rows) {
        for (const cell of row.cells) this.#characters += cell.length
        const most = dictionaryLimits.maxImportCharacters
        if (this.#characters > most)
          throw new FileProblemError(ErrorType.BeyondLimit, messages.tooManyCharacters(most))
        if (this.problems.length > dictionaryLimits.maxFoundProblems) return
        yield asRow(row)
      }
    }
  }
}

function wrongSheet(sheet: string | undefined): string[] {
  return sheet === undefined || labelKey(sheet) === labelKey(dictionarySheets.fields.name)
    ? []
    : [messages.wrongSheet(sheet)]
}

type FieldRow = SheetRow<FieldColumn>

/** Settings by the columns that have their names. */
const settingsOf = (type: RuleType): readonly RuleSetting[] => ruleSettings[type]
const allSettings = new Set(ruleTypes.flatMap(settingsOf))

class FieldReader {
  readonly #row: FieldRow
  readonly #checkPattern: CheckPattern
  readonly #bounds: FieldBounds | undefined

  constructor(row: FieldRow, checkPattern: CheckPattern, bounds: FieldBounds | undefined) {
    this.#row = row
    this.#checkPattern = checkPattern
    this.#bounds = bounds
  }

  /** null on error; it is already reported among `problems`. */
  read(problems: readonly string[]): Field | null {
    const reported = problems.length
    const type = this.#ruleType()
    const required = !this.#flag('canBeEmpty')
    const identifiesRow = this.#flag('identifiesRow')
    // Without a type, the row is checked as a text, so that its other problems are reported too.
    const rule = type === null ? { type: 'text' } : this.#rule(type)
    if (problems.length > reported && type !== null) return null
    const parts = {
      name: this.#row.text('name'),
      description: this.#row.text('description'),
      category: this.#row.text('category'),
      required,
      identifiesRow,
      ...rule,
    }
    const checked = checkField(parts, this.#bounds)
    if (!checked.ok)
      for (const { key, message } of checked.problems)
        this.#row.report(key === 'required' ? 'canBeEmpty' : key, message)
    return checked.ok && type !== null ? checked.field : null
  }

  #ruleType(): RuleType | null {
    const text = this.#text('type')
    const found = ruleTypes.find((type) => labelKey(ruleTypeNames[type]) === labelKey(text))
    if (found !== undefined) return found
    const choices = Object.values(ruleTypeNames)
    this.#row.report('type', text === '' ? fieldMessages.typeRequired : messages.notOneOf(text, choices))
    return null
  }

  /** Nothing means No. */
  #flag(column: 'canBeEmpty' | 'identifiesRow'): boolean {
    const text = this.#text(column)
    if (text === '' || labelKey(text) === labelKey(flagNames.no)) return false
    if (labelKey(text) !== labelKey(flagNames.yes))
      this.#row.report(column, messages.notOneOf(text, Object.values(flagNames)))
    return true
  }

  #rule(type: RuleType): FieldParts {
    this.#refuseOtherTypes(type)
    return {
      type,
      ...Object.fromEntries(settingsOf(type).map((setting) => [setting, this.#setting(setting)])),
    }
  }

  #setting(setting: RuleSetting): unknown {
    switch (setting) {
      case 'format':
        return this.#text('format')
      case 'pattern':
        return this.#pattern()
      case 'options':
        return this.#options()
      case 'separator':
        return this.#separator()
      case 'checkDigit':
        return this.#checkDigit()
      default:
        return this.#number(setting)
    }
  }

  /** A value that the type has no use for is a slip, most likely of the type. */
  #refuseOtherTypes(type: RuleType): void {
    for (const setting of allSettings) {
      const text = setting === 'options' ? this.#options().join(', ') : this.#text(setting)
      if (text !== '' && !settingsOf(type).includes(setting))
        this.#row.report(setting, messages.notOfType(text, ruleTypeNames[type]))
    }
  }

  #number(column: FieldColumn): number | null {
    const text = this.#text(column)
    if (text === '') return null
    if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return Number(text)
    this.#row.report(column, messages.notANumber(text))
    return null
  }

  /** Not trimmed: a space may belong to it. */
  #pattern(): string {
    const pattern = this.#row.text('pattern')
    // `checkField` refuses one that is too long.
    const reason = pattern.length > nameLimits.maxTextLength ? null : this.#checkPattern(pattern)
    if (reason !== null) this.#row.report('pattern', fieldMessages.patternInvalid(reason))
    return pattern
  }

  #options(): string[] {
    return this.#row
      .parts('options')
      .flatMap((text) => text.split(/\r\n|\r|\n/))
      .map((option) => option.trim())
      .filter((option) => option !== '')
  }

  #separator(): string | null {
    const text = this.#text('separator')
    const named = Object.entries(separatorNames).find(([, name]) => name === labelKey(text))
    return named?.[0] ?? (text || null)
  }

  #checkDigit(): CheckDigitScheme | null {
    const text = this.#text('checkDigit')
    const found = checkDigitSchemes.find((scheme) => labelKey(checkDigitNames[scheme]) === labelKey(text))
    if (text !== '' && found === undefined)
      this.#row.report('checkDigit', messages.notOneOf(text, Object.values(checkDigitNames)))
    return found ?? null
  }

  #text(column: FieldColumn): string {
    return this.#row.text(column).trim()
  }
}
