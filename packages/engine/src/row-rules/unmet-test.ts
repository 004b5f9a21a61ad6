import { type RowFact, unmetError, unmetExpected } from '@veridict/contract/messages/row-rules'
import type { RowRule, Severity } from '@veridict/contract/model/row-rule'
import type { CompiledTest } from '#row-rules/compile-test.ts'
import type { RuleCell } from '#row-rules/rule-cell.ts'
import { Outcome } from '#row-rules/groupings.ts'

export type CompiledRowRule = {
  /** Its place in the rule book. */
  readonly index: number
  readonly rule: RowRule
  /** On the day of the file. */
  readonly severity: Severity
  /** Whether its condition holds in the row; null without a condition. */
  readonly holds: ((rowNumber: number) => boolean) | null
  readonly joint: 'all' | 'any'
  readonly condition: readonly CompiledTest[]
  readonly conditionCells: readonly RuleCell[]
  readonly then: readonly CompiledTest[]
  readonly otherwise: readonly CompiledTest[]
  /** All of its tests that ask whether a text is one of some constants. */
  readonly textTests: readonly CompiledTest[]
}

/** Whether a condition holds in a row. What a blank leaves open does not hold. */
export function conditionOf(
  joint: 'all' | 'any',
  tests: readonly CompiledTest[],
): (rowNumber: number) => boolean {
  const asks = tests.map(({ ask }) => ask)
  if (asks.length === 1) {
    const [ask] = asks
    return (rowNumber) => ask(rowNumber) === Outcome.Met
  }
  const isAny = joint === 'any'
  return (rowNumber) => {
    for (let index = 0; index < asks.length; index++)
      if ((asks[index](rowNumber) === Outcome.Met) === isAny) return isAny
    return !isAny
  }
}

/** A demand that a row does not meet. Its sentences are made when they are read, in that row. */
export class UnmetTest {
  readonly rule: CompiledRowRule
  readonly #test: CompiledTest
  readonly #rowNumber: number
  /** Whether the rule's condition holds. */
  readonly #holds: boolean

  constructor(rule: CompiledRowRule, test: CompiledTest, rowNumber: number, isHeld: boolean) {
    this.rule = rule
    this.#test = test
    this.#rowNumber = rowNumber
    this.#holds = isHeld
  }

  get isWarning(): boolean {
    return this.rule.severity === 'warning'
  }

  get column(): number {
    return this.#test.reported.column
  }

  /** All columns that the condition and this test read, in the order of the file. */
  get columns(): number[] {
    const cells = [...this.rule.conditionCells, ...this.#test.cells]
    return [...new Set(cells.map(({ column }) => column))].toSorted((one, other) => one - other)
  }

  /** The text of the reported cell, as in the file. */
  get value(): string {
    return this.#test.reported.raw
  }

  get error(): string {
    const { description = '', severity, from } = this.rule.rule
    return unmetError({
      description,
      facts: this.#facts(),
      test: this.#test.test,
      than: this.#test.than?.(),
      firstRow: this.#test.key?.first ?? null,
      from: this.isWarning && severity === 'error' ? from! : null,
    })
  }

  get expected(): string {
    return unmetExpected({ test: this.#test.test, than: this.#test.than?.() })
  }

  /** The value that would be right, if only this cell and this value meet the test; null for none. */
  get remedy(): string | null {
    return this.#test.remedy?.() ?? null
  }

  /** What decided the condition: all cells of the tests that held, or that did not. */
  #facts(): RowFact[] {
    const decided = this.rule.condition.filter(
      ({ ask }) => (ask(this.#rowNumber) === Outcome.Met) === this.#holds,
    )
    const cells = new Set(decided.flatMap((test) => test.cells))
    return [...cells].map((cell) => ({ label: cell.field.name, value: cell.isBlank ? '' : cell.raw.trim() }))
  }
}
