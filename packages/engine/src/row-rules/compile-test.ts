import type { Comparison, Operand, RuleTest } from '@veridict/contract/model/row-rule'
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
} from '#row-rules/exact-number.ts'
import type { RuleCell } from '#row-rules/rule-cell.ts'
import type { UniqueKey } from '#row-rules/unique-keys.ts'
import { composed } from '#rules/composed.ts'

/** What a test finds in a row. A blank cell may leave nothing to ask: not met, and no error either. */
export const Outcome = { Unmet: 0, Met: 1, NotAsked: 2 } as const
export type Outcome = (typeof Outcome)[keyof typeof Outcome]

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
  /** Of a test that only depends on which of some constants its cell has. */
  readonly choice?: Choice
}

/** What a test finds by the constant of its cell (`RuleCell.constant`). */
export type Choice = {
  readonly cell: RuleCell
  /** Of the first constants; what is beyond is one of the others. */
  readonly ofConstants: Uint8Array
  readonly ofOthers: Outcome
  readonly ofBlank: Outcome
}

/** What tests refer to. */
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
      return { ...own, ask: () => met(!cell.isBlank) }
    case 'blank':
      return { ...own, ask: () => met(cell.isBlank), remedy: () => '' }
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
  const [listed, ofOthers] = [met(isWanted), met(!isWanted)]
  const constants = values.map((value) => cell.addConstant(value))
  const ofConstants = new Uint8Array(Math.max(0, ...constants) + 1).fill(ofOthers)
  // -1: a text that counts as blank is no value of a cell.
  for (const constant of constants) if (constant >= 0) ofConstants[constant] = listed
  const ask = (): Outcome => {
    const { constant } = cell
    if (constant >= 0) return constant < ofConstants.length ? (ofConstants[constant] as Outcome) : ofOthers
    return cell.isBlank ? ofBlank : ofOthers
  }
  return { ask, choice: { cell, ofConstants, ofOthers, ofBlank } }
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
  if (cell.kind === 'text') {
    if ('value' in than) {
      const asked = membership([than.value.trim()], cell, isEqual, NotAsked)
      return {
        test,
        cells: [cell],
        reported: cell,
        ...asked,
        remedy: () => (isEqual ? than.value.trim() : null),
      }
    }
    const other = scope.cellOf((than as { column: string }).column)
    return {
      test,
      cells: [other, cell],
      reported: cell,
      ask: () => (cell.isBlank || other.isBlank ? NotAsked : met(cell.isSameText(other) === isEqual)),
      than: () => inWords(other.text, than),
    }
  }
  return cell.kind === 'date'
    ? dateComparison(test, cell, holds, scope)
    : numberComparison(test, cell, holds, scope)
}

/** The value of an operand in this row, and what it is. */
const inWords = (value: string, operand: Operand): string => `"${value}" (${operandText(operand)})`

function dateComparison(
  test: RuleTest & { is: Comparison; than: Operand },
  cell: RuleCell,
  holds: (sign: number) => boolean,
  scope: TestScope,
): CompiledTest {
  const { than, is } = test
  if ('value' in than) {
    const day = cell.dayNumberOf(than.value)
    const ask = unlessBlank(cell, () => holds(cell.day - day))
    return {
      test,
      cells: [cell],
      reported: cell,
      ask,
      remedy: () => (is === 'equal' ? than.value.trim() : null),
    }
  }
  const { plus: by = 0, unit = 'days' } = than as { plus?: number; unit?: 'days' | 'months' | 'years' }
  const other = 'column' in than ? scope.cellOf(than.column) : null
  const today = movedDay(scope.today, by, unit)
  const operand = other === null ? () => today : () => (by === 0 ? other.day : movedDay(other.day, by, unit))
  const format = cell.field.rule.type === 'date' ? parseDateFormat(cell.field.rule.format)! : null
  return {
    test,
    cells: other === null ? [cell] : [other, cell],
    reported: cell,
    ask: () => (cell.isBlank || (other?.isBlank ?? false) ? NotAsked : met(holds(cell.day - operand()))),
    than: () => inWords(dayText(operand(), format!), than),
  }
}

function numberComparison(
  test: RuleTest & { is: Comparison; than: Operand },
  cell: RuleCell,
  holds: (sign: number) => boolean,
  scope: TestScope,
): CompiledTest {
  const { than, is } = test
  const isEqual = is === 'equal'
  if ('value' in than) {
    const value = cell.numberOf(than.value)
    const ask = unlessBlank(cell, () => holds(compareExact(cell.number, value)))
    return { test, cells: [cell], reported: cell, ask, remedy: () => (isEqual ? than.value.trim() : null) }
  }
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
  return {
    test,
    cells: [other, ...(factor === null ? [] : [factor]), cell],
    reported: cell,
    ask: () =>
      cell.isBlank || other.isBlank || (factor?.isBlank ?? false)
        ? NotAsked
        : met(holds(compareExact(cell.number, operand()))),
    than: () => inWords(exactText(operand()), than),
  }
}

function isWithin(one: ExactNumber, other: ExactNumber, tolerance: ExactNumber): boolean {
  const difference = plus(one, negative(other))
  return compareExact(difference.digits < 0 ? negative(difference) : difference, tolerance) <= 0
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
    case 'allFilled':
      return { ...own, ask: () => met(filled() === cells.length) }
    case 'noneFilled':
      return {
        ...own,
        ask: () => met(filled() === 0),
        remedy: () => (filled() === 1 && !own.reported.isBlank ? '' : null),
      }
    case 'someFilled':
      return { ...own, ask: () => met(filled() > 0) }
    case 'oneFilled':
      return { ...own, ask: () => met(filled() === 1) }
    case 'atMostOneFilled':
      return { ...own, ask: () => met(filled() <= 1) }
    case 'allOrNoneFilled':
      return { ...own, ask: () => met(filled() % cells.length === 0) }
    case 'unique': {
      const key = scope.key(cells)
      return {
        ...own,
        ask: (rowNumber) => (filled() === 0 ? NotAsked : met(key.firstRow(rowNumber) === 0)),
        key,
      }
    }
    case 'listed': {
      const listed = 'list' in test ? scope.listed(test.list, cells) : rowKeys(test.rows, cells)
      return {
        ...own,
        ask: () =>
          filled() < cells.length ? NotAsked : met(listed.has(joined(cells.map(({ key }) => key)))),
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
      joined(row.map((value, index) => (value.trim() === '' ? '' : cells[index].keyOf(value)))),
    ),
  )
