import type { CellFault } from '@veridict/contract/model/cell-error'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { CompiledTest } from '#row-rules/compile-test.ts'
import type { RuleCell } from '#row-rules/rule-cell.ts'
import { Outcome } from '#row-rules/groupings.ts'
import { RuleFilter } from '#row-rules/rule-filter.ts'
import type { UniqueKeys } from '#row-rules/unique-keys.ts'
import { type CompiledRowRule, UnmetTest } from '#row-rules/unmet-test.ts'

type FaultyCell = { readonly column: number; readonly fault: CellFault }

/** A row is exempt where it holds. */
type Exemption = { readonly holds: (rowNumber: number) => boolean; readonly tests: readonly CompiledTest[] }

const NONE: readonly never[] = []

/**
 * The rules between cells, compiled for one file, and the state of the row that is read. A table tells the
 * cells what it sees (`RuleCell`), and asks once for each whole record.
 */
export class RowRules {
  /** The columns of the file, which show the cells that rules read. */
  readonly columns: readonly ColumnCheck[]
  /** By column, the cell that rules read; undefined for other columns. */
  readonly cells: readonly (RuleCell | undefined)[]
  /** The same, without those that are undefined. */
  readonly read: readonly RuleCell[]
  readonly rules: readonly CompiledRowRule[]
  readonly keys: UniqueKeys
  /** The demands that the row asked last does not meet, in the order of rules and tests. */
  unmet: readonly UnmetTest[] = NONE
  readonly #exemption: Exemption | null
  readonly filter: RuleFilter

  constructor(
    parts: Pick<RowRules, 'columns' | 'cells' | 'rules' | 'keys'> & { exemption: Exemption | null },
  ) {
    this.columns = parts.columns
    this.cells = parts.cells
    this.rules = parts.rules
    this.keys = parts.keys
    this.read = parts.cells.filter((cell) => cell !== undefined)
    this.#exemption = parts.exemption
    const ofEveryRow = parts.rules.filter(({ holds }) => holds === null && parts.exemption === null)
    for (const { key } of ofEveryRow.flatMap(({ then }) => then)) if (key) key.isOfEveryRow = true
    this.filter = new RuleFilter(parts.rules)
  }

  /** Before the cells of a row in which columns may be left out. */
  startRow(): void {
    for (const cell of this.read) cell.seeNothing()
  }

  /** For a whole record that is not blank. Returns `faulty`, in an exempt row without cells only blank. */
  ask<Cell extends FaultyCell>(rowNumber: number, faulty: readonly Cell[]): readonly Cell[] {
    this.unmet = NONE
    if (faulty.length === 0) {
      if (!this.#isExempt(rowNumber)) this.#askRules(rowNumber, false)
      return faulty
    }
    if (faulty.some(({ fault }) => fault.code === 'missingCell' || fault.code === 'extraCell')) return faulty
    for (const { column, fault } of faulty) this.#setFault(column, fault)
    const isExempt = this.#isExempt(rowNumber)
    if (!isExempt) this.#askRules(rowNumber, true)
    for (const { column } of faulty) this.#setFault(column, null)
    return isExempt ? faulty.filter(({ fault }) => fault.code !== 'required') : faulty
  }

  #setFault(column: number, fault: CellFault | null): void {
    const cell = this.cells[column]
    if (cell !== undefined) cell.fault = fault && fault.code
  }

  #isExempt(rowNumber: number): boolean {
    if (this.#exemption === null) return false
    const { holds, tests } = this.#exemption
    const isFaulty = tests.some(({ cells }) =>
      cells.some(({ fault }) => fault !== null && fault !== 'required'),
    )
    return !isFaulty && holds(rowNumber)
  }

  #askRules(rowNumber: number, hasFaults: boolean): void {
    const { possible } = this.filter
    this.filter.find()
    for (let word = 0; word < possible.length; word++) {
      for (let bits = possible[word]; bits !== 0; bits &= bits - 1) {
        const lowest = 31 - Math.clz32(bits & -bits)
        this.#askRule(this.rules[word * 32 + lowest], rowNumber, hasFaults)
      }
    }
  }

  #askRule(rule: CompiledRowRule, rowNumber: number, hasFaults: boolean): void {
    if (hasFaults && hasFault(rule.conditionCells)) return
    const isHeld = rule.holds === null || rule.holds(rowNumber)
    const tests = isHeld ? rule.then : rule.otherwise
    for (let at = 0; at < tests.length; at++) {
      const test = tests[at]
      if (hasFaults && hasFault(test.cells)) continue
      if (test.ask(rowNumber) === Outcome.Unmet) this.#keep(new UnmetTest(rule, test, rowNumber, isHeld))
    }
  }

  #keep(unmet: UnmetTest): void {
    if (this.unmet === NONE) this.unmet = [unmet]
    else (this.unmet as UnmetTest[]).push(unmet)
  }
}

const hasFault = (cells: readonly RuleCell[]): boolean => cells.some(({ fault }) => fault !== null)
