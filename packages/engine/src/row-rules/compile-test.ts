import type { ColumnsTestKind, Comparison, Operand, RuleTest } from '@veridict/contract/model/row-rule'
import { operandText } from '@veridict/contract/notation/rule-sentence'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import { dayText, movedDay } from '#row-rules/day-number.ts'
import {
  compareExact,
  type ExactNumber,
  exactOf,
  exactText,
  negative,
  plus,
  times,
  ZERO,
} from '#rules/exact-number.ts'
import type { RuleCell } from '#row-rules/rule-cell.ts'
import { BLANK, type Choice, Grouping, NumberOf, Outcome } from '#row-rules/groupings.ts'
import type { UniqueKey } from '#row-rules/unique-keys.ts'
import { composed } from '#rules/composed.ts'

/** A test compiled for one file. It is asked only in rows in which its cells have no errors. */
export type CompiledTest = {
  readonly test: RuleTest
  /** All that it reads, in the order in which it names them. */
  readonly cells: readonly RuleCell[]
  /** Where an unmet test is reported. */
  readonly reported: RuleCell
  readonly ask: (rowNumber: number) => Outcome
  /** What the operand of a comparison is in this row, in words; absent for a constant. */
  readonly than?: () => string
  /** The only value of the reported cell with which the test is met; null for none, or for several. */
  readonly remedy?: () => string | null
  /** Of a unique test. */
  readonly key?: UniqueKey
  /** Of a test that one of a few groups of rows decides. */
  readonly choice?: Choice
}

export type TestScope = {
  cellOf(column: string): RuleCell
  /** The keys of the rows of a reference list. */
  listed(list: string, cells: readonly RuleCell[]): ReadonlySet<string>
  matcherOf(pattern: string): (text: string) => boolean
  key(cells: readonly RuleCell[]): UniqueKey
  /** Today's day number. */
  readonly today: number
}

const { Unmet, Met, NotAsked } = Outcome
const met = (holds: boolean): Outcome => (holds ? Met : Unmet)
const unlessBlank =
  (cell: RuleCell, holds: () => boolean): (() => Outcome) =>
  () =>
    cell.isBlank ? NotAsked : met(holds())

export function compileTest(test: RuleTest, scope: TestScope): CompiledTest {
  if ('columns' in test) return columnsTest(test, scope)
  const cell = scope.cellOf(test.column)
  const own = { test, cells: [cell], reported: cell }
  switch (test.is) {
    case 'filled':
      return { ...own, ...membership([], cell, false, Unmet) }
    case 'blank':
      return { ...own, ...membership([], cell, true, Met), remedy: () => '' }
    case 'distinct':
      return { ...own, ask: unlessBlank(cell, () => new Set(cell.values).size === cell.values.length) }
    case 'count': {
      const { min = 0, max = Infinity } = test
      return { ...own, ask: unlessBlank(cell, () => cell.values.length >= min && cell.values.length <= max) }
    }
    case 'oneOf':
    case 'noneOf':
    case 'only':
      return { ...own, ...valuesTest(test.is, test.values, cell) }
    case 'startingWith':
      return { ...own, ask: unlessBlank(cell, () => cell.text.startsWith(test.text)) }
    case 'endingWith':
      return { ...own, ask: unlessBlank(cell, () => cell.text.endsWith(test.text)) }
    case 'containing':
      return { ...own, ask: unlessBlank(cell, () => cell.text.includes(test.text)) }
    case 'matching':
    case 'notMatching': {
      const matches = scope.matcherOf(test.pattern)
      const isWanted = test.is === 'matching'
      return { ...own, ask: unlessBlank(cell, () => matches(cell.text) === isWanted) }
    }
    default:
      return comparison(test, cell, scope)
  }
}

function valuesTest(
  is: 'oneOf' | 'noneOf' | 'only',
  given: readonly string[],
  cell: RuleCell,
): Pick<CompiledTest, 'ask' | 'choice' | 'remedy'> {
  const values = given.map((value) => value.trim())
  const filled = values.filter((value) => value !== '')
  const ofBlank = met(values.includes('') === (is !== 'noneOf'))
  const [only, ...others] = new Set(values)
  const remedy = is !== 'noneOf' && others.length === 0 ? () => only : () => null
  if (cell.holdsSeveral) {
    const listed = new Set(filled.map(composed))
    const isListed = (value: string) => listed.has(value)
    const holds = {
      oneOf: () => cell.values.some(isListed),
      noneOf: () => !cell.values.some(isListed),
      only: () => cell.values.every(isListed),
    }[is]
    return { ask: () => (cell.isBlank ? ofBlank : met(holds())), remedy }
  }
  return { ...membership(filled, cell, is !== 'noneOf', ofBlank), remedy }
}

/** Asks whether the value of the cell is one of some constants. */
function membership(
  values: readonly string[],
  cell: RuleCell,
  isWanted: boolean,
  ofBlank: Outcome,
): Pick<CompiledTest, 'ask' | 'choice'> {
  const codes = new Set(values.map((value) => cell.addConstant(value)))
  // A text that counts as blank is no value of a cell.
  codes.delete(BLANK)
  const keys = new Set(values.map((value) => cell.read(value, () => cell.key)))
  const isListed = cell.kind === 'text' ? () => codes.has(cell.code) : () => keys.has(cell.key)
  return {
    ask: () => (cell.isBlank ? ofBlank : met(isListed() === isWanted)),
    choice: cell.grouping.choice([...codes], (code) => met(codes.has(code) === isWanted), ofBlank),
  }
}

const signs: Readonly<Record<Comparison, (sign: number) => boolean>> = {
  equal: (sign) => sign === 0,
  notEqual: (sign) => sign !== 0,
  less: (sign) => sign < 0,
  atMost: (sign) => sign <= 0,
  more: (sign) => sign > 0,
  atLeast: (sign) => sign >= 0,
}

function comparison(
  test: RuleTest & { column: string; is: Comparison; than: Operand },
  cell: RuleCell,
  scope: TestScope,
): CompiledTest {
  const { is, than } = test
  const holds = signs[is]
  const isEqual = is === 'equal'
  if ('value' in than) {
    const constant = than.value.trim()
    const remedy = () => (isEqual ? constant : null)
    if (cell.kind === 'text') {
      const asked = membership([constant], cell, isEqual, NotAsked)
      return { test, cells: [cell], reported: cell, ...asked, remedy }
    }
    const order = cell.read(constant, () => cell.order)
    const value = cell.kind === 'date' ? ZERO : cell.read(constant, () => cell.number)
    const sign = cell.kind === 'date' ? () => cell.day - order : () => compareExact(cell.number, value)
    const choice = choiceAt(order, holds, cell.grouping)
    return compared(test, [cell], () => holds(sign()), { choice, remedy })
  }
  if (cell.kind === 'date') return dateComparison(test, cell, holds, scope)
  if (cell.kind === 'number') return numberComparison(test, cell, holds, scope)
  const other = scope.cellOf((than as { column: string }).column)
  const isMet = () => cell.isSameText(other) === isEqual
  return compared(test, [other, cell], isMet, { than: () => inWords(other.text, than) })
}

const choiceAt = (point: number, holds: (sign: number) => boolean, grouping: Grouping): Choice | undefined =>
  grouping.choice([point], (number) => met(holds(number - point)))

/** Asked only where no cell is blank; reported at the last one. */
const compared = (
  test: RuleTest,
  cells: readonly RuleCell[],
  isMet: () => boolean,
  more: Pick<CompiledTest, 'choice' | 'than' | 'remedy'>,
): CompiledTest => ({
  test,
  cells,
  reported: cells.at(-1)!,
  ask: () => {
    for (const cell of cells) if (cell.isBlank) return NotAsked
    return met(isMet())
  },
  ...more,
})

const inWords = (value: string, operand: Operand): string => `"${value}" (${operandText(operand)})`

/** With today, or the day of another column. */
function dateComparison(
  test: RuleTest & { than: Operand },
  cell: RuleCell,
  holds: (sign: number) => boolean,
  scope: TestScope,
): CompiledTest {
  const { than } = test
  const { plus: by = 0, unit = 'days' } = than as { plus?: number; unit?: 'days' | 'months' | 'years' }
  const format = cell.field.rule.type === 'date' ? parseDateFormat(cell.field.rule.format)! : null
  const other = 'column' in than ? scope.cellOf(than.column) : null
  const today = movedDay(scope.today, by, unit)
  const operand = other === null ? () => today : () => (by === 0 ? other.day : movedDay(other.day, by, unit))
  const cells = other === null ? [cell] : [other, cell]
  return compared(test, cells, () => holds(cell.day - operand()), {
    choice:
      other === null
        ? choiceAt(today, holds, cell.grouping)
        : choiceAt(
            0,
            holds,
            cell.differences(other, operandText(than), operand, unit === 'days' ? by : by && NaN),
          ),
    than: () => inWords(dayText(operand(), format!), than),
  })
}

/** With a sum, or the number of another column. */
function numberComparison(
  test: RuleTest & { is: Comparison; than: Operand },
  cell: RuleCell,
  holds: (sign: number) => boolean,
  scope: TestScope,
): CompiledTest {
  const { than, is } = test
  const isEqual = is === 'equal'
  if ('sum' in than) {
    const summands = than.sum.map((column) => scope.cellOf(column))
    const sum = () =>
      summands.reduce<ExactNumber>((total, one) => (one.isBlank ? total : plus(total, one.number)), ZERO)
    const decide = than.tolerance === undefined ? holds : null
    const tolerance = exactOf(than.tolerance ?? 0)
    return {
      test,
      cells: [...summands, cell],
      reported: cell,
      ask: () => {
        if (cell.isBlank || summands.every((one) => one.isBlank)) return NotAsked
        if (decide !== null) return met(decide(compareExact(cell.number, sum())))
        return met(isWithin(cell.number, sum(), tolerance) === isEqual)
      },
      than: () => inWords(exactText(sum()), than),
      remedy: () => (isEqual ? exactText(sum()) : null),
    }
  }
  const { column, times: by, plus: more } = than as { column: string; times?: number | string; plus?: number }
  const other = scope.cellOf(column)
  const factor = typeof by === 'string' ? scope.cellOf(by) : null
  const constant = exactOf(typeof by === 'number' ? by : 1)
  const addend = exactOf(more ?? 0)
  const operand = (): ExactNumber => {
    const value = by === undefined ? other.number : times(other.number, factor?.number ?? constant)
    return more === undefined ? value : plus(value, addend)
  }
  const cells = factor === null ? [other, cell] : [other, factor, cell]
  const isPlain = by === undefined && more === undefined
  return compared(test, cells, () => holds(compareExact(cell.number, operand())), {
    choice: isPlain
      ? choiceAt(
          0,
          holds,
          cell.differences(other, column, () => other.order),
        )
      : undefined,
    than: () => inWords(exactText(operand()), than),
  })
}

function isWithin(one: ExactNumber, other: ExactNumber, tolerance: ExactNumber): boolean {
  const difference = plus(one, negative(other))
  return compareExact(difference.digits < 0 ? negative(difference) : difference, tolerance) <= 0
}

/** By how many of the cells are filled. */
const filledTests: Readonly<Record<ColumnsTestKind, (filled: number, all: number) => boolean>> = {
  allFilled: (filled, all) => filled === all,
  noneFilled: (filled) => filled === 0,
  someFilled: (filled) => filled > 0,
  oneFilled: (filled) => filled === 1,
  atMostOneFilled: (filled) => filled <= 1,
  allOrNoneFilled: (filled, all) => filled % all === 0,
}

function columnsTest(test: Extract<RuleTest, { columns: string[] }>, scope: TestScope): CompiledTest {
  const cells = test.columns.map((column) => scope.cellOf(column))
  const own = { test, cells, reported: cells.at(-1)! }
  const filled = () => {
    let count = 0
    for (const cell of cells) if (!cell.isBlank) count++
    return count
  }
  switch (test.is) {
    case 'unique': {
      const key = scope.key(cells)
      return { ...own, ask: (rowNumber) => met(key.firstRow(rowNumber) === 0), key }
    }
    case 'listed': {
      const listed = 'list' in test ? scope.listed(test.list, cells) : rowKeys(test.rows, cells)
      return {
        ...own,
        ask: () =>
          filled() < cells.length ? NotAsked : met(listed.has(joined(cells.map(({ key }) => key)))),
      }
    }
    default: {
      const isMet = filledTests[test.is]
      const outcomeOf = (count: number) => met(isMet(count, cells.length))
      return {
        ...own,
        ask: () => outcomeOf(filled()),
        choice: new Grouping(NumberOf.Filled, cells, filled).choice(
          [...cells.keys(), cells.length],
          outcomeOf,
        ),
        remedy: () => (test.is === 'noneFilled' && filled() === 1 && !own.reported.isBlank ? '' : null),
      }
    }
  }
}

/** No cell holds a NUL, so that different values are joined to different texts. */
const joined = (keys: readonly (number | string)[]): string => keys.join('\0')

/** Rows of constants, as keys of the cells in the order of their columns. */
export const rowKeys = (
  rows: readonly (readonly string[])[],
  cells: readonly RuleCell[],
): ReadonlySet<string> =>
  new Set(
    rows.map((row) =>
      joined(
        row.map((value, index) =>
          value.trim() === '' ? '' : cells[index].read(value, () => cells[index].key),
        ),
      ),
    ),
  )
