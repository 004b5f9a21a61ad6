import { errorScreenLimits } from '@veridict/contract/limits'
import { ruleCauseAdvice, ruleCauseMessage } from '@veridict/contract/messages/row-rules'
import type { Cause, CauseExample } from '@veridict/contract/model/cause'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import type { ErrorGroup } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { shownValue } from '#causes/kept-cell.ts'
import { hasMisspeltBeside, mergeOthers, reasonOf, type UnmetRows } from '#causes/rule-reason.ts'
import type { TextPlatform } from '#platform.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import type { CompiledRowRule, UnmetTest } from '#row-rules/unmet-test.ts'
import type { RowKeys } from '#rows/row-keys.ts'
import type { RowView } from '#source/table-source.ts'

type RuleCount = UnmetRows & {
  /** The place of the rule in the rule book. */
  readonly rule: number
  cells: number
  firstRow: number
  suggestions: number
  /** The columns where it was reported. */
  readonly columns: number[]
  readonly examples: CauseExample[]
  readonly keptRows: RowReport[]
}

export type RuleCause = { readonly cause: Cause; readonly rows: RowReport[] }

/** Counts the unmet tests of rules between cells in bounded memory: each rule is one cause. */
export class RuleCounts {
  readonly #rules: RowRules | null
  readonly #platform: TextPlatform
  readonly #keys: RowKeys
  readonly #mostRows: number
  readonly #counts = new Map<number, RuleCount>()

  constructor(
    rules: RowRules | null,
    platform: TextPlatform,
    keys: RowKeys,
    maxRowsPerCause: number = errorScreenLimits.maxRowsPerCause,
  ) {
    this.#rules = rules
    this.#platform = platform
    this.#keys = keys
    this.#mostRows = maxRowsPerCause
  }

  add(rowNumber: number, unmet: readonly UnmetTest[], row: RowView): void {
    let last: RuleCount | null = null
    for (const test of unmet) {
      const count = this.#countOf(test.rule.index, rowNumber)
      count.cells++
      if (count !== last) {
        mergeOthers(test.rule, count)
        this.#addRow(count, rowNumber, unmet, row)
      }
      last = count
      if (!count.columns.includes(test.column)) count.columns.push(test.column)
      const suggestion = remedyOf(test, this.#rules!)
      if (suggestion !== null) count.suggestions++
      if (count.examples.length < errorScreenLimits.maxExamples)
        this.#addExample(count, rowNumber, test, suggestion)
    }
  }

  /** A row with nothing but these errors or warnings. */
  rowReport(rowNumber: number, unmet: readonly UnmetTest[], row: RowView): RowReport {
    const columnValidationErrors = this.errorsOf(unmet)
    return { rowNumber, key: this.#keys.keyOf(row), totalCount: unmet.length, columnValidationErrors }
  }

  /** The errors of a row, as people read them. */
  errorsOf(unmet: readonly UnmetTest[]): CellError[] {
    return unmet.map((test) => unmetCellError(test, this.#rules!, this.#platform))
  }

  /** The causes of errors, or of warnings, most cells first. */
  causes(isOfWarnings: boolean, recordsCount: number): RuleCause[] {
    return this.#of(isOfWarnings)
      .map(({ count, rule }) => ({ cause: this.#cause(rule, count, recordsCount), rows: count.keptRows }))
      .toSorted((one, other) => other.cause.cells - one.cause.cells)
  }

  /** The errors of each rule by column. */
  groups(): ErrorGroup[] {
    return this.#of(false).map(({ count, rule: { rule } }) => ({
      columnPosition: columnLetter(count.columns[0]),
      label: this.#labelOf(count.columns[0]),
      error: rule.description ?? rule.name,
      count: count.cells,
    }))
  }

  #of(isOfWarnings: boolean): { count: RuleCount; rule: CompiledRowRule }[] {
    return [...this.#counts.values()]
      .map((count) => ({ count, rule: this.#rules!.rules[count.rule] }))
      .filter(({ rule }) => (rule.severity === 'warning') === isOfWarnings)
  }

  #labelOf(column: number): string {
    return this.#rules!.cells[column]!.field.name
  }

  #cause(compiled: CompiledRowRule, count: RuleCount, recordsCount: number): Cause {
    const { rule, severity } = compiled
    const [column, ...others] = count.columns
    const isOfColumn = others.length === 0
    return {
      id: ruleCauseId(rule.name),
      kind: 'rule',
      rule: rule.name,
      ...(severity === 'warning' && { severity }),
      columnPosition: isOfColumn ? columnLetter(column) : null,
      label: isOfColumn ? this.#labelOf(column) : null,
      message: ruleCauseMessage(rule, reasonOf(compiled, count, recordsCount)),
      advice: ruleCauseAdvice(rule, severity),
      cells: count.cells,
      rows: count.rows,
      firstRow: count.firstRow,
      suggestions: count.suggestions,
      examples: count.examples,
    }
  }

  #addRow(count: RuleCount, rowNumber: number, unmet: readonly UnmetTest[], row: RowView): void {
    count.rows++
    if (count.keptRows.length >= this.#mostRows) return
    const own = unmet.filter(({ rule }) => rule.index === count.rule)
    count.keptRows.push(this.rowReport(rowNumber, own, row))
  }

  #addExample(count: RuleCount, rowNumber: number, test: UnmetTest, suggestion: string | null): void {
    const value = shownValue(test.value, this.#platform)
    const label = this.#labelOf(test.column)
    const isKnown = count.examples.some((known) => value === known.value && label === known.label)
    if (!isKnown) count.examples.push({ rowNumber, label, value, suggestion, count: null })
  }

  #countOf(rule: number, firstRow: number): RuleCount {
    let count = this.#counts.get(rule)
    if (count === undefined) {
      const nothing = { cells: 0, rows: 0, suggestions: 0 }
      count = { rule, firstRow, ...nothing, columns: [], others: [], examples: [], keptRows: [] }
      this.#counts.set(rule, count)
    }
    return count
  }
}

/** Stable by the name of the rule; only characters that need no escape in an address. */
export const ruleCauseId = (name: string): string =>
  `rule.${name.replace(/[^A-Za-z0-9.-]/gu, (one) => `_${one.codePointAt(0)!.toString(16)}_`)}`

/** The suggestion for the reported cell, if its own rule allows it and no other cell is surely wrong. */
export function remedyOf(unmet: UnmetTest, { columns }: RowRules): string | null {
  const { remedy } = unmet
  if (remedy === null || columns[unmet.column].check(remedy) !== null) return null
  return hasMisspeltBeside(unmet) ? null : remedy
}

/** An unmet test as people read it. */
export const unmetCellError = (unmet: UnmetTest, rules: RowRules, platform: TextPlatform): CellError => ({
  columnPosition: columnLetter(unmet.column),
  label: rules.cells[unmet.column]!.field.name,
  error: unmet.error,
  value: shownValue(unmet.value, platform),
  expected: unmet.expected,
  cause: ruleCauseId(unmet.rule.rule.name),
  suggestion: remedyOf(unmet, rules),
  rule: unmet.rule.rule.name,
  columns: unmet.columns.map(columnLetter),
})
