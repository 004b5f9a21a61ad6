import { errorScreenLimits } from '@veridict/contract/limits'
import { joinedRemedies, type Remedies } from '@veridict/contract/messages/cause-sentences/remedies'
import { causeAdvice, type CauseFacts, causeMessage } from '@veridict/contract/messages/causes'
import { cellQuestions, listQuestion } from '@veridict/contract/messages/structure'
import type { Cause, CauseChoice, CauseExample, CauseKind } from '@veridict/contract/model/cause'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import type { Rule } from '@veridict/contract/model/rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { ColumnCheck } from '#compile/column-check.ts'
import { separatorOf } from '#causes/diagnose-date.ts'
import { type Diagnosis, Proof } from '#causes/diagnosis.ts'
import {
  type DiagnosisCount,
  type ExampleValue,
  joinedExtent,
  type Reading,
  suggestionOf,
  type TextExtent,
} from '#causes/diagnosis-count.ts'
import type { KeptRow } from '#causes/kept-cell.ts'
import {
  ANSWERS,
  type ColumnFindings,
  findingsOf,
  orderOf,
  resolve,
  type Resolution,
  withOrder,
} from '#causes/resolve-column.ts'
import type { ColumnSwap } from '#causes/swapped-columns.ts'
import type { ValidValues } from '#causes/valid-values.ts'

/** Values that pass with a wrong meaning. */
export type PassedWrong = { readonly column: number; readonly label: string; readonly cells: number }

export type Conclusion = {
  /** Most cells first. */
  readonly causes: Cause[]
  /** The first rows of a cause of cells. */
  rowsOf(id: string): RowReport[]
  /** The name of a column's field; '' where it has none. */
  labelOf(column: number): string
  /** Returns the id of the cause. */
  causeOf(column: number, diagnosis: Diagnosis): string
  /** The value that would be right, now that the column is known; null for none. */
  suggestionFor(column: number, diagnosis: Diagnosis): string | null
  /** Dates with day and month swapped that are valid all the same: no error names them. */
  readonly passedWrong: readonly PassedWrong[]
  /** The same once a person has answered the questions of some causes. */
  answered(answers: CellAnswers): Conclusion
  /** Of the validation: what two-digit years mean. */
  readonly currentYear: number
  /** Of the validation: see `findSecondHeadings`. */
  readonly headingEnd: number
}

/** Values of choices, by the id of the cause. */
export type CellAnswers = ReadonlyMap<string, string>

export type CollectedFile = {
  readonly columns: readonly ColumnCheck[]
  /** By column; the last but one for cells beyond the header, the last for whole rows. */
  readonly counts: readonly (readonly DiagnosisCount[])[]
  readonly valid: ReadonlyMap<number, ValidValues>
  readonly swaps: readonly ColumnSwap[]
  readonly recordsCount: number
  readonly mostValues: number
  readonly mostRows: number
  readonly currentYear: number
  readonly headingEnd: number
  readonly rowInSource?: (row: number) => number
}

/** An example of a cause before it is shown; `cells` is null where values are not counted. */
type FoundExample = { example: ExampleValue; cells: number | null; reading: Reading | null }

type ResolvedCount = { readonly count: DiagnosisCount; readonly resolution: Resolution; readonly id: string }

/** Decides what the causes are, from all counts of the file. */
export function concluded(file: CollectedFile, answers: CellAnswers = new Map()): Conclusion {
  const { columns, counts } = file
  /** By column, as `counts`. */
  const resolved: ResolvedCount[][] = counts.map(() => [])
  const passedWrong: PassedWrong[] = []
  const groups: { cause: Cause; parts: ResolvedCount[] }[] = []
  for (const [index, ofColumn] of counts.entries()) {
    if (ofColumn.length === 0 || file.swaps.some((swap) => swap.columns.includes(index))) continue
    const column = index > columns.length ? null : index
    const valid = file.valid.get(index)
    const rule = columns[index]?.field?.rule
    const findings = findingsOf(ofColumn, valid, rule, file.mostValues)
    const found = ofColumn.map((count) => {
      const own = resolve(count, findings)
      const id = causeId(column, own)
      return { count, own, id, answer: ANSWERS[answers.get(id) ?? ''] }
    })
    const order = found.map(({ answer }) => answer?.order).find((proof) => proof !== undefined)
    const separators = () => ofColumn.map(({ detail }) => separatorOf(detail))
    const answered = order === undefined ? findings : withOrder(findings, separators(), order)
    const passed = passedSwapped(answered, rule, valid, order) || (valid?.misread ?? 0)
    if (passed > 0) passedWrong.push({ column: index, label: labelOf(columns[index]), cells: passed })
    resolved[index] = found.map(({ count, own, id, answer }) => {
      const { reading } = answer ?? (answered === findings ? own : resolve(count, answered))
      const isKept = passed > 0 && KEEPS_ORDER.has(count.kind)
      return { count, resolution: { ...own, reading: isKept ? null : reading }, id }
    })
    const byCause = Map.groupBy(resolved[index], ({ id }) => id)
    for (const [id, parts] of byCause) groups.push({ cause: causeOf(id, column, parts, file, passed), parts })
  }
  for (const swap of file.swaps) {
    const resolution = resolutionOf(swap)
    const id = causeId(null, resolution)
    const parts: ResolvedCount[] = []
    for (const column of swap.columns) {
      resolved[column] = counts[column].map((count) => ({ count, resolution, id }))
      parts.push(...resolved[column])
    }
    groups.push({ cause: causeOf(id, null, parts, file, 0, swap), parts })
  }
  groups.sort((one, other) => other.cause.cells - one.cause.cells)

  const resolvedOf = (column: number, { kind, detail, isOfRow }: Diagnosis) =>
    resolved[isOfRow ? columns.length + 1 : Math.min(column, columns.length)].find(
      ({ count }) => count.kind === kind && count.detail === detail,
    )
  return {
    causes: groups.map(({ cause }) => cause),
    rowsOf(id) {
      const { parts } = groups.find(({ cause }) => cause.id === id)!
      return joinedRows(parts)
        .slice(0, file.mostRows)
        .map((row) => rowReport(row, this))
    },
    labelOf: (column) => labelOf(columns[column]),
    causeOf: (column, diagnosis) => resolvedOf(column, diagnosis)!.id,
    suggestionFor: (column, diagnosis) =>
      suggestionWith(diagnosis, resolvedOf(column, diagnosis)?.resolution.reading ?? null),
    passedWrong,
    answered: (given) => concluded(file, given),
    currentYear: file.currentYear,
    headingEnd: file.headingEnd,
  }
}

/** A kept row as people read it, with the causes and suggestions that the whole file gives. */
export function rowReport({ rowNumber, key, cells, unmet = [] }: KeptRow, conclusion: Conclusion): RowReport {
  const errors = cells.map((cell): CellError => {
    const { column, fault, value } = cell
    const [columnPosition, label] = [columnLetter(column), conclusion.labelOf(column)]
    const diagnosis = cell.diagnosisOf(cell)
    const cause = conclusion.causeOf(column, diagnosis)
    const suggestion = conclusion.suggestionFor(column, diagnosis)
    const { error, expected } = fault
    return { columnPosition, label, error, value, expected, cause, suggestion }
  })
  const columnValidationErrors = [...errors, ...unmet]
  return { rowNumber, key, totalCount: columnValidationErrors.length, columnValidationErrors }
}

const suggestionWith = (diagnosis: Diagnosis, reading: Reading | null): string | null =>
  reading === null ? null : suggestionOf(diagnosis, reading)

const labelOf = (column: ColumnCheck | undefined): string => column?.field?.name ?? ''

/** Only characters that need no escape in an address. */
function causeId(column: number | null, { kind, detail }: Resolution): string {
  const place = column === null ? 'rows' : columnLetter(column)
  const slug = detail.replaceAll('/', '~').replace(/[^A-Za-z0-9.~-]+/g, '_')
  return slug === '' ? `${place}.${kind}` : `${place}.${kind}.${slug}`
}

const resolutionOf = ({ columns }: ColumnSwap): Resolution => ({
  kind: 'swappedColumns',
  detail: columns.map(columnLetter).join('/'),
  reading: null,
})

/** How many valid dates are surely swapped: all, where each date that shows an order shows the other one. */
function passedSwapped(
  { proves, provesBySeparator }: ColumnFindings,
  rule: Rule | undefined,
  valid: ValidValues | undefined,
  answer: number | undefined,
): number {
  if (valid === undefined || rule?.type !== 'date') return 0
  if (answer === undefined && (proves & Proof.SwappedOwn) === 0) return 0
  const ofOwn = provesBySeparator.get(separatorOf(rule.format)) ?? 0
  return (ofOwn & orderOf(rule.format)) === 0 ? valid.swappable : 0
}

function causeOf(
  id: string,
  column: number | null,
  parts: readonly ResolvedCount[],
  file: CollectedFile,
  passed: number,
  swap: ColumnSwap | null = null,
): Cause {
  const counts = parts.map(({ count }) => count)
  const { kind, detail } = parts[0].resolution
  const field = column === null ? null : (file.columns[column]?.field ?? null)
  const cells = sum(counts.map((count) => count.cells))
  const suggestions = suggestedIn(parts)
  const rows = swap?.rows ?? sum(counts.map((count) => count.rows))
  let made: CauseExample[] | undefined
  const examples = () =>
    (made ??= swap === null ? examplesOf(parts, suggestions > 0) : swappedExamples(parts, file.columns))
  const firstRow = Math.min(...counts.map((count) => count.firstRow))
  const facts = (): CauseFacts => ({
    kind,
    detail,
    label: field?.name ?? '',
    labels: (swap?.columns ?? []).map((one) => labelOf(file.columns[one])),
    field,
    expected: column === null ? '' : (file.columns[column]?.expected ?? ''),
    cells,
    rows,
    firstRow: file.rowInSource?.(firstRow) ?? firstRow,
    recordsCount: file.recordsCount,
    suggestions,
    passed,
    isMisread: (file.valid.get(column ?? -1)?.misread ?? 0) > 0,
    extent: counts.map(({ extent }) => extent).reduce<TextExtent | null>(joinedExtent, null),
    examples: examples(),
    remedies: counts.map(({ remedies }) => remedies).reduce<Remedies | null>(joinedRemedies, null),
  })
  return {
    id,
    kind: DECIDED_KINDS[kind] ?? kind,
    columnPosition: column === null ? null : columnLetter(column),
    label: column === null ? null : (field?.name ?? ''),
    // Made when read: of thousands of causes, mostly few are shown.
    get message() {
      return causeMessage(facts())
    },
    get advice() {
      return causeAdvice(facts())
    },
    cells,
    rows,
    firstRow,
    suggestions,
    ...(REMOVED_ROWS.has(kind) && { correctable: 'yes' as const }),
    ...(kind === 'notInList' && suggestions === 0 && mappingOf(field?.rule, parts)),
    ...questionOf(kind, parts),
    ...(passed > 0 && kindsWithPassed.has(kind) && { passed }),
    get examples() {
      return examples()
    },
  }
}

/** Causes of rows that are no records: a copy leaves them out. */
const REMOVED_ROWS: ReadonlySet<CauseKind> = new Set(['secondHeading', 'totalsRow'])

/** What causes are called whose cells a person decides about. Ids have the engine's own kinds. */
const DECIDED_KINDS: Partial<Record<CauseKind, string>> = {
  dateAmbiguous: 'dateOrder',
  dateSwapped: 'dateOrder',
  lostZeros: 'pad',
}

/** Different values that show what an answer does. */
const MOST_SHOWN = 3

/** What is asked where some cells get a suggestion by an answer only. */
function questionOf(kind: CauseKind, parts: readonly ResolvedCount[]): Partial<Cause> {
  const { question, answers = {} } = cellQuestions[kind] ?? {}
  const choices = Object.entries(answers).map(([value, label]): CauseChoice => {
    const { reading } = ANSWERS[value]
    const answered = parts.map((part) => ({ ...part, resolution: { ...part.resolution, reading } }))
    const examples = examplesOf(answered, true)
      .filter(({ suggestion }) => suggestion !== null)
      .slice(0, MOST_SHOWN)
      .map((example) => ({ value: example.value, suggestion: example.suggestion! }))
    return { value, label, suggestions: suggestedIn(answered), examples }
  })
  const isOpen = choices.some(({ suggestions }) => suggestions > suggestedIn(parts))
  return isOpen ? { correctable: 'choice', question, choices } : {}
}

const suggestedIn = (parts: readonly ResolvedCount[]): number =>
  sum(parts.map(({ count, resolution: { reading } }) => (reading === null ? 0 : count.suggested[reading])))

/** Unknown values of a list that are asked for, and items among which a person chooses. */
const MOST_MAPPED = 100

/** What unknown values of a list mean is known only to a person. */
function mappingOf(
  rule: Rule | undefined,
  parts: readonly ResolvedCount[],
): Pick<Cause, 'correctable' | 'question' | 'choices' | 'values'> {
  const values = parts.flatMap(({ count }) => [...(count.values?.values() ?? [])])
  if (rule?.type !== 'list' || rule.options.length > MOST_MAPPED || values.length === 0) return {}
  return {
    correctable: 'choice',
    question: listQuestion(values.map(({ value }) => value.trim())),
    choices: rule.options.map((option) => ({ value: option, label: option, suggestions: 0 })),
    values: values.slice(0, MOST_MAPPED).map(({ value, cells }) => ({ value: value.trim(), cells })),
  }
}

/** Causes of dates whose suggestions have the order of the cell: the wrong one beside swapped dates. */
const KEEPS_ORDER: ReadonlySet<CauseKind> = new Set(['quotes', 'spaces', 'punctuation', 'otherDigits'])

/** Causes whose other values in the column may pass with a wrong meaning. */
const kindsWithPassed: ReadonlySet<CauseKind> = new Set(['dateFormat', 'dateSwapped', 'dateAmbiguous'])

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** The most frequent values, as far as they were counted, then the first ones. */
function examplesOf(parts: readonly ResolvedCount[], hasSuggestions: boolean): CauseExample[] {
  const found: FoundExample[] = []
  for (const { count, resolution } of parts) {
    const { reading } = resolution
    if (count.values === null) for (const example of count.examples) addInOrder(found, example, null, reading)
    else for (const example of count.values.values()) addInOrder(found, example, example.cells, reading)
  }
  return found.map(({ example: { rowNumber, label, value, diagnosis }, cells, reading }) => ({
    rowNumber,
    ...(label !== undefined && { label }),
    value,
    suggestion: hasSuggestions ? suggestionWith(diagnosis, reading) : null,
    count: cells,
  }))
}

/** The first values of both columns, by their rows. */
function swappedExamples(parts: readonly ResolvedCount[], columns: readonly ColumnCheck[]): CauseExample[] {
  return parts
    .flatMap(({ count: { column, values, examples } }) =>
      [...(values?.values() ?? examples)].map(({ rowNumber, value }) => {
        const label = labelOf(columns[column!])
        return { rowNumber, label, value, suggestion: null, count: null }
      }),
    )
    .sort((one, other) => one.rowNumber - other.rowNumber)
    .slice(0, errorScreenLimits.maxExamples)
}

/** Adds an example in its place, if it is one of those shown. There may be thousands of values. */
function addInOrder(
  found: FoundExample[],
  example: ExampleValue,
  cells: number | null,
  reading: Reading | null,
): void {
  let at = found.length
  while (at > 0 && isBefore(example, cells, found[at - 1])) at--
  if (at === errorScreenLimits.maxExamples) return
  found.splice(at, 0, { example, cells, reading })
  if (found.length > errorScreenLimits.maxExamples) found.pop()
}

const isBefore = (example: ExampleValue, cells: number | null, other: FoundExample): boolean => {
  const more = (cells ?? 0) - (other.cells ?? 0)
  return more > 0 || (more === 0 && example.rowNumber < other.example.rowNumber)
}

/** The rows in their order; a row with cells of two parts, as where columns are swapped, is one. */
function joinedRows(parts: readonly ResolvedCount[]): KeptRow[] {
  const kept = parts.flatMap(({ count }) => count.kept).sort((one, other) => one.rowNumber - other.rowNumber)
  const byNumber = Map.groupBy(kept, ({ rowNumber }) => rowNumber)
  return [...byNumber].map(([rowNumber, cells]) => ({ rowNumber, key: cells[0].key, cells }))
}
