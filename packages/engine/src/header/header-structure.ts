import {
  columnName,
  type StructureFacts,
  structureAnswers,
  type StructureSentences,
  structureSentences,
  unknownColumns,
} from '@veridict/contract/messages/structure'
import type { Cause, CauseChoice, StructureKind } from '@veridict/contract/model/cause'
import type { CorrectionAnswer } from '@veridict/contract/notation/correction-answers'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { labelKey } from '@veridict/contract/notation/label'
import { quoted } from '#header/check-header.ts'
import type { HeaderReading } from '#header/column-table.ts'
import type { ColumnValue } from '#header/column-values.ts'
import { equalNames, longestAscending, type Sides } from '#header/pair-columns.ts'
import { type FileView, type RemovedPart, type TableView, UNCHANGED } from '#source/table-view.ts'

/** The causes that a copy corrects, by id, with their answers. */
export type Accepted = ReadonlyMap<string, CorrectionAnswer>

/** What is wrong with the structure of a table, and what a copy is in which some of it is corrected. */
export type Structure = {
  readonly causes: readonly Cause[]
  /** null where nothing changes. */
  viewOf(accepted: Accepted): TableView | FileView | null | Promise<TableView | null>
}

const MAX_MAPPED = 100
/** Values of a column that show what it is. */
const MOST_SHOWN = 3

export type MismatchedTable = {
  readonly sides: Sides
  readonly firstColumn: number
  /** The row that was read as the heading row. */
  readonly headingRow: number
}

const idOf = (kind: StructureKind) => `table.${kind}`
/** Beside the renamed columns that are sure, those that a person names. */
const MAPPING_ID = `${idOf('columnsRenamed')}.map`

export function structureCause(
  kind: StructureKind,
  correctable: 'yes' | 'choice' | 'no',
  { names = [], firstRow, rows = 0 }: Partial<StructureFacts> & { firstRow: number },
): Cause {
  const { message, advice, question }: StructureSentences = structureSentences[kind]
  const facts = { names, firstRow, rows }
  const choices = structureChoices(kind)
  return {
    id: idOf(kind),
    kind,
    columnPosition: null,
    label: null,
    message: message(facts),
    advice,
    cells: 0,
    rows,
    firstRow,
    suggestions: 0,
    correctable,
    ...(correctable === 'choice' && { question: question?.(facts), choices }),
    examples: [],
  }
}

export const structureChoices = (kind: string): CauseChoice[] =>
  Object.entries(structureAnswers[kind] ?? {}).map(([value, label]) => choiceOf(value, label))

const choiceOf = (value: string, label: string): CauseChoice => ({ value, label, suggestions: 0 })

/** Whether a copy corrects a cause: a sure one, or one whose answer is the first of its choices. */
export const isAccepted = (cause: Cause | undefined, accepted: Accepted): boolean => {
  const answer = cause && accepted.get(cause.id)
  if (cause === undefined || answer === undefined || cause.correctable === 'no') return false
  return cause.choices === undefined || answer.choice === cause.choices[0].value
}

/** A cause that one of several answers corrects, for the file as a whole. */
export function fileStructure(
  kind: 'otherSheet' | 'encoding',
  names: readonly string[],
  choices: readonly { value: string; label: string }[],
): Structure {
  if (choices.length === 0) return { causes: [], viewOf: () => null }
  const cause = structureCause(kind, 'choice', { names, firstRow: 1 })
  cause.choices = choices.map(({ value, label }) => choiceOf(value, label))
  const viewOf = (value: string | undefined): FileView | null => {
    if (value === undefined) return null
    return kind === 'otherSheet' ? { sheet: value } : { codePage: value }
  }
  return { causes: [cause], viewOf: (accepted) => viewOf(accepted.get(cause.id)?.choice) }
}

/** The structure of a table whose first row is no heading row. */
export function rowStructure(
  table: MismatchedTable,
  cause: Cause,
  removed: readonly RemovedPart[],
): Structure {
  const { sides, firstColumn, headingRow } = table
  const isNew = cause.kind === 'headingMissing'
  const names = sides.fields.map(({ name }, field): [number, string] => [firstColumn + field, name])
  const view: TableView = {
    ...UNCHANGED,
    droppedRows: new Set(Array.from({ length: isNew ? 0 : cause.rows }, (_, index) => index + 1)),
    width: firstColumn + sides.labels.length,
    heading: { row: headingRow, isNew, texts: new Map(isNew ? names : []) },
    removed,
  }
  return { causes: [cause], viewOf: (accepted) => (isAccepted(cause, accepted) ? view : null) }
}

/** The structure of a table whose column names differ from the dictionary's. */
export class DifferentColumns {
  readonly #table: MismatchedTable
  readonly #sides: Sides
  readonly #isOther: boolean
  readonly #values: readonly (readonly ColumnValue[])[]
  /** Fields that columns probably are, by column. */
  readonly #likely: ReadonlyMap<number, number>
  /** Fields that certainly are in the file, by column. */
  readonly #known: ReadonlyMap<number, number>
  readonly #renamed: readonly number[]
  /** Columns that are no field, as far as it is sure. */
  readonly #extra: readonly number[]
  /** The columns of `#extra` by what a mapping calls them, with the keys of labels. */
  readonly #nameable: ReadonlyMap<string, { column: number; name: string }>
  readonly #missing: readonly number[]

  constructor(
    table: MismatchedTable,
    { pairs, isOther }: HeaderReading & { kind: 'names' },
    values: readonly (readonly ColumnValue[])[],
  ) {
    const { sides } = table
    this.#table = table
    this.#sides = sides
    this.#isOther = isOther
    this.#values = values
    this.#likely = new Map(isOther ? [] : [...pairs].map(([column, { field }]) => [column, field]))
    const sure = [...pairs].filter(([, { isSure }]) => isSure && !isOther)
    const equal = equalNames(sides).map(({ column, field }): [number, number] => [column, field])
    this.#known = new Map([...equal, ...sure.map(([column, { field }]): [number, number] => [column, field])])
    this.#renamed = sure.map(([column]) => column)
    this.#extra = [...sides.labels.keys()].filter((column) => !this.#known.has(column))
    this.#nameable = this.#nameColumns()
    const present = new Set(this.#known.values())
    this.#missing = [...sides.fields.keys()].filter((field) => !present.has(field))
  }

  causes(): Cause[] {
    const causes: Cause[] = []
    const add = (kind: StructureKind, correctable: 'yes' | 'choice' | 'no', names: readonly string[]) => {
      const cause = structureCause(kind, correctable, { names, firstRow: this.#table.headingRow })
      causes.push(cause)
      return cause
    }
    const renamed = this.#renamed.map((column) => `${this.#named(column)} is "${this.#fieldOf(column)}"`)
    if (renamed.length > 0) add('columnsRenamed', 'yes', renamed)
    const fields = [...this.#known].toSorted(([a], [b]) => a - b).map(([, field]) => field)
    if (longestAscending(fields, (field) => field).length < fields.length && !this.#isOther)
      add('columnOrder', 'yes', [])
    const unknown = [...this.#nameable.values()].slice(0, MAX_MAPPED)
    const missing = this.#missing.map((field) => `"${this.#sides.fields[field].name}"`)
    if (unknown.length > 0 && missing.length > 0) {
      const names = unknown.map(({ column, name }) =>
        name === this.#sides.labels[column] ? this.#named(column) : name,
      )
      const cause = add('columnsRenamed', 'choice', names)
      cause.id = MAPPING_ID
      cause.message = unknownColumns(names)
      cause.values = unknown.map(({ column, name }) => ({
        value: name,
        cells: 0,
        samples: [...new Set(this.#values[column]?.map(({ text }) => quoted(text)))].slice(0, MOST_SHOWN),
        likely: this.#sides.fields[this.#likely.get(column) ?? -1]?.name,
      }))
      cause.choices = this.#missing
        .map((field) => this.#sides.fields[field].name)
        .map((name) => choiceOf(name, name))
    }
    if (this.#extra.length > 0)
      add(
        'columnsExtra',
        'choice',
        this.#extra.map((column) => this.#named(column)),
      )
    if (missing.length > 0) add('columnsMissing', this.#canAdd(unknown.length > 0), missing)
    return causes
  }

  /** Empty columns are right where their fields may be blank, and no other column may be one of them. */
  #canAdd(hasUnknown: boolean): 'yes' | 'choice' | 'no' {
    if (this.#missing.some((field) => this.#sides.fields[field].required)) return 'no'
    return hasUnknown || this.#isOther || this.#known.size * 2 < this.#sides.fields.length ? 'choice' : 'yes'
  }

  /** By its label, or by its letter where that is blank. A label that another column has names none. */
  #nameColumns(): Map<string, { column: number; name: string }> {
    const { labels, labelKeys } = this.#sides
    const named = this.#extra.map((column) => {
      const name = labelKeys[column] === '' ? columnName(this.#table.firstColumn + column) : labels[column]
      return { column, name, key: labelKey(name) }
    })
    const isOwn = ({ column, key }: { column: number; key: string }) =>
      [column, -1].includes(labelKeys.indexOf(key))
    return new Map(named.filter(isOwn).map((nameable) => [nameable.key, nameable]))
  }

  #named = (column: number): string => {
    const label = quoted(this.#sides.labels[column])
    return label === '' ? columnLetter(this.#table.firstColumn + column) : `"${label}"`
  }

  #fieldOf = (column: number): string => this.#sides.fields[this.#known.get(column)!].name

  viewOf(accepted: Accepted): TableView | null {
    const causes = new Map(this.causes().map((cause) => [cause.id, cause]))
    const isChosen = (kind: StructureKind) => isAccepted(causes.get(idOf(kind)), accepted)
    const mapped = this.#mapped(accepted.get(MAPPING_ID)?.map)
    const known = new Map([...this.#known, ...mapped])
    const renamed = new Set([...(isChosen('columnsRenamed') ? this.#renamed : []), ...mapped.keys()])
    const isLeftOut = (column: number) => isChosen('columnsExtra') && !known.has(column)
    const kept = [...this.#sides.labels.keys()].filter((column) => !isLeftOut(column))
    const ordered = isChosen('columnOrder') ? inOrder(kept, known) : kept
    const columns: (number | { field: number })[] = ordered
    if (isChosen('columnsMissing')) insertMissing(columns, this.#sides.fields.length, known)
    return this.#viewOf(columns, known, renamed)
  }

  /** The fields that a person said columns are. */
  #mapped(map: ReadonlyMap<string, string> = new Map()): Map<number, number> {
    return new Map(
      [...map].map(([heading, name]) => [
        this.#nameable.get(labelKey(heading))!.column,
        this.#sides.fieldKeys.indexOf(labelKey(name)),
      ]),
    )
  }

  #viewOf(
    columns: readonly (number | { field: number })[],
    known: ReadonlyMap<number, number>,
    renamed: ReadonlySet<number>,
  ): TableView | null {
    const { firstColumn, headingRow: row } = this.#table
    const { labels, fields } = this.#sides
    const margin = Array.from({ length: firstColumn }, (_, column) => column)
    const texts = new Map<number, string>()
    for (const [index, column] of columns.entries()) {
      const field =
        typeof column === 'object' ? column.field : renamed.has(column) ? known.get(column)! : null
      if (field !== null) texts.set(firstColumn + index, fields[field].name)
    }
    const isSame = columns.length === labels.length && columns.every((column, index) => column === index)
    if (isSame && texts.size === 0) return null
    const kept = new Set(columns)
    return {
      ...UNCHANGED,
      columns: isSame
        ? null
        : [...margin, ...columns.map((column) => (typeof column === 'object' ? null : firstColumn + column))],
      width: firstColumn + labels.length,
      heading: { row, isNew: false, texts },
      removed: [...labels.keys()]
        .filter((column) => !kept.has(column))
        .map((column) => ({ rowNumber: null, text: this.#named(column) })),
    }
  }
}

/** The columns with the known fields in the dictionary's order; the others stay where they are. */
function inOrder(columns: readonly number[], known: ReadonlyMap<number, number>): number[] {
  const sorted = columns.filter((column) => known.has(column)).sort((a, b) => known.get(a)! - known.get(b)!)
  let next = 0
  return columns.map((column) => (known.has(column) ? sorted[next++] : column))
}

/** Adds the fields that no column is, each after the one before it. */
function insertMissing(
  columns: (number | { field: number })[],
  fields: number,
  known: ReadonlyMap<number, number>,
): void {
  const present = new Set(known.values())
  for (let field = 0, place = 0; field < fields; field++) {
    if (present.has(field))
      place = columns.findIndex((column) => typeof column === 'number' && known.get(column) === field) + 1
    else columns.splice(place++, 0, { field })
  }
}
