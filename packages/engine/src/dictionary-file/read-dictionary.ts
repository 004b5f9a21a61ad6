import { nameLimits } from '@veridict/contract/limits'
import {
  canBeEmptyNames,
  type DictionaryColumn,
  dictionaryColumns,
  dictionarySheets,
} from '@veridict/contract/messages/dictionary-file'
import { dictionaryImportMessages as messages } from '@veridict/contract/messages/dictionary-import'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import { type RuleConfig, RuleType, ruleTypeNames } from '@veridict/contract/model/rule'
import { labelKey } from '@veridict/contract/notation/label'
import { type HeadingPlaces, readHeadings } from '#dictionary-file/read-headings.ts'
import { type CheckPattern, patternChecker } from '#rules/re2.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { SourceRow } from '#source/table-source.ts'

/** A field as the wire writes it. */
export type WireField = {
  itemName: string
  description: string
  category: string
  ruleType: RuleType
  isRequired: boolean
  ruleConfig: RuleConfig
}

/**
 * Judges a field as the form does (contract, `forms/check-field`), handed in because the engine knows no
 * forms.
 */
export type CheckField = (
  field: WireField,
) => { ok: true; field: Field } | { ok: false; problems: readonly { key: string; message: string }[] }

export type DictionaryRequest = Omit<TableRequest, 'fields'> & { checkField: CheckField }

export type ReadDictionary = { kind: 'fields'; fields: Field[] } | { kind: 'problems'; problems: string[] }

/**
 * Reads a dictionary's workbook, as `writeDictionary` writes it: all of it or nothing, and every problem at
 * once, each naming its cell (`Row 7, Type: 'Txt' is not one of …`). Decisions, "Dictionary .xlsx".
 */
export async function readDictionary(request: DictionaryRequest): Promise<ReadDictionary> {
  try {
    return await readSheet(request)
  } catch (error) {
    if (error instanceof FileProblemError) return { kind: 'problems', problems: [error.message] }
    throw error
  }
}

async function readSheet(request: DictionaryRequest): Promise<ReadDictionary> {
  const table = await openTable({ ...request, fields: [] })
  const problems: string[] = []
  const places = readHeadings(table.header, problems)
  if (problems.length > 0)
    return { kind: 'problems', problems: [...wrongSheet(table.sheets?.read), ...problems] }
  const fields: Field[] = []
  const names = new Map<string, number>()
  const checkPattern = patternChecker()
  for await (const rows of table.rows()) {
    for (const row of rows) {
      const reader = new FieldReader(row, places, { problems, checkPattern })
      const field = reader.read(request.checkField)
      reader.refuseDuplicateName(names)
      if (field !== null) fields.push(field)
    }
  }
  return problems.length > 0 ? { kind: 'problems', problems } : { kind: 'fields', fields }
}

function wrongSheet(sheet: string | undefined): string[] {
  return sheet === undefined || labelKey(sheet) === labelKey(dictionarySheets.fields)
    ? []
    : [messages.wrongSheet(sheet)]
}

/** The columns that say something about one type only. */
const columnTypes: Partial<Record<DictionaryColumn, RuleType>> = {
  minLength: RuleType.Text,
  maxLength: RuleType.Text,
  scale: RuleType.Number,
  minimum: RuleType.Number,
  maximum: RuleType.Number,
  format: RuleType.Date,
  pattern: RuleType.Pattern,
  options: RuleType.List,
}

/** Where a value of the wire stands in the sheet. */
const wireColumns: Readonly<Record<string, DictionaryColumn>> = {
  itemName: 'name',
  description: 'description',
  category: 'category',
  ruleType: 'type',
  isRequired: 'canBeEmpty',
  minLength: 'minLength',
  maxLength: 'maxLength',
  scale: 'scale',
  min: 'minimum',
  max: 'maximum',
  format: 'format',
  regularExpression: 'pattern',
  optionSetValues: 'options',
}

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

  /** null where something is wrong; what, has been told. */
  read(checkField: CheckField): Field | null {
    const told = this.#problems.length
    const ruleType = this.#ruleType()
    const isRequired = !this.#canBeEmpty()
    const ruleConfig = ruleType === null ? {} : this.#config(ruleType)
    if (this.#problems.length > told && ruleType !== null) return null
    // Without a type, the rest of the row is judged as a text, so that its problems are told as well.
    const wire = {
      itemName: this.#text('name'),
      description: this.#text('description'),
      category: this.#text('category'),
      ruleType: ruleType ?? RuleType.Text,
      isRequired,
      ruleConfig,
    }
    const checked = checkField(wire)
    if (!checked.ok)
      for (const { key, message } of checked.problems) this.#tell(wireColumns[key] ?? 'type', message)
    return checked.ok && ruleType !== null ? checked.field : null
  }

  refuseDuplicateName(names: Map<string, number>): void {
    const key = labelKey(this.#text('name'))
    if (key === '') return
    const earlier = names.get(key)
    if (earlier === undefined) names.set(key, this.#row.rowNumber)
    else this.#tell('name', messages.duplicateName(this.#text('name').trim(), earlier))
  }

  #ruleType(): RuleType | null {
    const text = this.#text('type').trim()
    const found = Object.entries(ruleTypeNames).find(([, name]) => labelKey(name) === labelKey(text))
    if (found !== undefined) return Number(found[0]) as RuleType
    this.#tell(
      'type',
      text === '' ? fieldMessages.typeRequired : messages.notOneOf(text, Object.values(ruleTypeNames)),
    )
    return null
  }

  /** Nothing means No. */
  #canBeEmpty(): boolean {
    const text = this.#text('canBeEmpty').trim()
    if (text === '' || labelKey(text) === labelKey(canBeEmptyNames.no)) return false
    if (labelKey(text) !== labelKey(canBeEmptyNames.yes)) {
      this.#tell('canBeEmpty', messages.notOneOf(text, Object.values(canBeEmptyNames)))
    }
    return true
  }

  #config(ruleType: RuleType): RuleConfig {
    this.#refuseOtherTypes(ruleType)
    switch (ruleType) {
      case RuleType.Text:
        return { minLength: this.#number('minLength'), maxLength: this.#number('maxLength') }
      case RuleType.Number:
        return { scale: this.#number('scale'), min: this.#number('minimum'), max: this.#number('maximum') }
      case RuleType.Date:
        return { format: this.#text('format').trim() }
      case RuleType.Pattern:
        return { regularExpression: this.#pattern() }
      case RuleType.List:
        return { optionSetValues: this.#options() }
    }
  }

  /** A value that the type has no use for is a slip, most likely of the type. */
  #refuseOtherTypes(ruleType: RuleType): void {
    for (const [column, type] of Object.entries(columnTypes) as [DictionaryColumn, RuleType][]) {
      const text = column === 'options' ? this.#options().join(', ') : this.#text(column).trim()
      if (type !== ruleType && text !== '')
        this.#tell(column, messages.notOfType(text, ruleTypeNames[ruleType]))
    }
  }

  #number(column: DictionaryColumn): number | null {
    const text = this.#text(column).trim()
    if (text === '') return null
    if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return Number(text)
    this.#tell(column, messages.notANumber(text))
    return null
  }

  /** Not trimmed: a space may belong to it. */
  #pattern(): string {
    const pattern = this.#text('pattern')
    // The form says so of one that is too long, and nobody compiles it.
    const reason = pattern.length > nameLimits.maxTextLength ? null : this.#checkPattern(pattern)
    if (reason !== null) this.#tell('pattern', fieldMessages.patternInvalid(reason))
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

  #tell(column: DictionaryColumn, problem: string): void {
    this.#problems.push(messages.at(this.#row.rowNumber, dictionaryColumns[column], problem))
  }
}
