import {
  type Condition,
  conditionTests,
  type RowRule,
  type RuleTest,
} from '@veridict/contract/model/row-rule'
import type { Rule } from '@veridict/contract/model/rule'
import { labelKey } from '@veridict/contract/notation/label'
import type { ColumnCheck } from '#compile/column-check.ts'
import { byteSet } from '#fast-path/byte-set.ts'
import { type ByteAccept, NOT_SURE } from '#fast-path/fast-path.ts'
import type { TextPlatform } from '#platform.ts'
import { compileTest, rowKeys, type TestScope } from '#row-rules/compile-test.ts'
import type { DatedRuleBook } from '#row-rules/compile-row-rules.ts'
import { dayNumber } from '#calendar.ts'
import { RowRules } from '#row-rules/row-rules.ts'
import { RuleCell } from '#row-rules/rule-cell.ts'
import { UniqueKeys } from '#row-rules/unique-keys.ts'
import { type CompiledRowRule, conditionOf } from '#row-rules/unmet-test.ts'
import { composed } from '#rules/composed.ts'
import { compilePattern, type PatternReference } from '#rules/pattern.ts'

export function compileRules(...parts: ConstructorParameters<typeof Compiler>): RowRules {
  const compiler = new Compiler(...parts)
  const [book] = parts
  const { cells, keys } = compiler
  const rules = book.rules.map((rule, index) => compiler.rule(rule, index))
  const exemption = book.exempt && compiler.condition(book.exempt.when)
  return new RowRules({ columns: compiler.columns(), cells, rules, exemption, keys })
}

const jointOf = (condition: Condition): 'all' | 'any' => ('all' in condition ? 'all' : 'any')

class Compiler {
  readonly cells: (RuleCell | undefined)[]
  readonly keys = new UniqueKeys()
  readonly #columns: readonly ColumnCheck[]
  readonly #day: string
  readonly #scope: TestScope

  constructor(
    book: DatedRuleBook,
    columns: readonly ColumnCheck[],
    isWorkbook: boolean,
    platform: TextPlatform,
    reference: PatternReference | null,
  ) {
    this.#columns = columns
    this.#day = book.day
    this.cells = columns.map(() => undefined)
    const blankTexts = byteSet(
      book.blankTexts.map((text) => composed(text.trim())),
      platform,
    )
    const places = new Map(columns.map(({ field }, column) => [labelKey(field?.name ?? ''), column]))
    // Hundreds of rules may refer to one list, or one pattern.
    const lists = new Map<string, ReadonlySet<string>>()
    const patterns = new Map<string, (text: string) => boolean>()
    const [year, month, day] = book.day.split('-').map(Number)
    this.#scope = {
      cellOf: (name) => {
        const column = places.get(labelKey(name))!
        const { field } = columns[column]
        return (this.cells[column] ??= new RuleCell(column, field!, platform, blankTexts, isWorkbook))
      },
      listed: (name, cells) => {
        // Values are read in one way for all columns of a type and format.
        const types = cells.map(({ field: { rule } }) => (rule.type === 'date' ? rule.format : rule.type))
        const { rows } = book.lists.find((list) => list.name === name)!
        return known(lists, [name, ...types].join('\0'), () => rowKeys(rows, cells))
      },
      matcherOf: (pattern) =>
        known(patterns, pattern, () => {
          const { check } = compilePattern({ type: 'pattern', pattern }, '', reference)
          return (text) => check(text) === null
        }),
      key: (cells) => this.keys.add(cells),
      today: dayNumber(year, month, day),
    }
  }

  rule(rule: RowRule, index: number): CompiledRowRule {
    const { holds, tests: condition } = rule.when ? this.condition(rule.when) : { holds: null, tests: [] }
    const then = this.tests(rule.then)
    const otherwise = this.tests(rule.otherwise ?? [])
    return {
      index,
      rule,
      severity: rule.from !== undefined && this.#day < rule.from ? 'warning' : rule.severity,
      holds,
      joint: rule.when === undefined ? 'all' : jointOf(rule.when),
      condition,
      conditionCells: [...new Set(condition.flatMap(({ cells }) => cells))],
      then,
      otherwise,
      textTests: [...condition, ...then, ...otherwise].filter(
        ({ test, cells: [cell] }) => 'values' in test && cell.kind === 'text' && !cell.holdsSeveral,
      ),
    }
  }

  condition(condition: Condition) {
    const tests = this.tests(conditionTests(condition))
    return { tests, holds: conditionOf(jointOf(condition), tests) }
  }

  tests(tests: readonly RuleTest[]) {
    return tests.map((test) => compileTest(test, this.#scope))
  }

  /** To be called when all tests are compiled. */
  columns(): ColumnCheck[] {
    return this.#columns.map((column, index) => {
      const cell = this.cells[index]
      if (cell === undefined) return column
      // The fast path accepts an option as it is written, and only the slow path makes its letters one.
      const isPlain = !hasOtherForm(column.field!.rule)
      return {
        ...column,
        accept: shown(cell, isPlain ? column.accept : () => NOT_SURE),
        describe: isPlain ? column.describe : undefined,
      }
    })
  }
}

/** What was made before for the key, or is made now. */
function known<T>(made: Map<string, T>, key: string, make: () => T): T {
  let value = made.get(key)
  if (value === undefined) made.set(key, (value = make()))
  return value
}

/** A fast path that also says where the text of the cell is. */
function shown(cell: RuleCell, accept: ByteAccept): ByteAccept {
  return (bytes, position) => {
    const end = accept(bytes, position)
    cell.see(bytes, position, end)
    return end
  }
}

const hasOtherForm = (rule: Rule): boolean =>
  rule.type === 'list' && rule.options.some((option) => composed(option) !== option)
