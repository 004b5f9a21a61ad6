import type { Field } from '@veridict/contract/model/field'
import * as model from '@veridict/contract/model/row-rule'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import { labelKey } from '@veridict/contract/notation/label'
import * as cells from '#formulas/cell-formulas.ts'
import * as text from '#formulas/formula-text.ts'
import { patternFormula } from '#formulas/pattern-formula.ts'
import { plainDecimal } from '#plain-decimal.ts'

const { ALWAYS, BEYOND, choice, joined, NEVER, not, UNKNOWN } = text

/** A demand of a rule between cells. Where it is not met, it marks the columns that it reads. */
export type Demand = {
  readonly rule: model.RowRule
  readonly test: model.RuleTest
  readonly isOtherwise: boolean
  readonly isWarning: boolean
  /** Keys of their labels. */
  readonly columns: readonly string[]
}

/** On a day, yyyy-MM-dd. */
export const demandsOf = ({ rules }: model.RuleBook, day: string): Demand[] =>
  rules.flatMap((rule) => {
    const { when, then, otherwise = [], from = '', severity } = rule
    const isWarning = severity === 'warning' || day < from
    return [...then, ...otherwise].map((test, index) => {
      const columns = [...model.conditionTests(when), test].flatMap(model.testColumns).map(labelKey)
      return { rule, test, isOtherwise: index >= then.length, isWarning, columns: [...new Set(columns)] }
    })
  })

export type RuledTable = {
  /** By the keys of their labels. */
  readonly columns: ReadonlyMap<string, { readonly field: Field; readonly letter: string }>
  readonly letters: readonly string[]
  readonly book: model.RuleBook
}

type NamedCell = { readonly field: Field; readonly cell: string; readonly blank: string }

/** The formulas of one row of a table, from 1. */
export class RowFormulas {
  readonly #table: RuledTable
  readonly #row: number
  readonly #range: string

  constructor(table: RuledTable, row: number) {
    this.#table = table
    this.#row = row
    this.#range = `$${table.letters[0]}${row}:$${table.letters.at(-1)}${row}`
  }

  /** Whether the cell of a column is wrong, but for rules between cells. */
  ofCell(column: string, isExempt = this.#isExempt()): string {
    return this.#own(column, text.say('isAnyFilled', { range: this.#range }), isExempt)
  }

  /** True where one of the demands is not met. */
  ofDemands(demands: readonly Demand[]): string {
    if (demands.length === 0) return NEVER
    const read = [...new Set(demands.flatMap(({ columns }) => columns))]
    // A cell with an error of its own leaves the demands that do not read it.
    const ofFaulty = demands.every(({ columns }) => columns.length === read.length) ? NEVER : UNKNOWN
    const areUnmet = demands.map(({ rule, test, isOtherwise }) => {
      const isHeld = rule.when === undefined ? ALWAYS : this.#condition(rule.when)
      const isUnmet = this.#outcome(test, false)
      return isOtherwise ? choice(isHeld, NEVER, isUnmet) : choice(isHeld, isUnmet)
    })
    const ofRecord = choice(this.#isAnyFaulty(read, NEVER), ofFaulty, joined('OR', areUnmet))
    const isAsked = text.say('isAsked', { row: this.#row, range: this.#range })
    return text.fitting(choice(isAsked, choice(this.#isExempt(), NEVER, ofRecord), UNKNOWN))
  }

  #own(column: string, isRecord: string, isExempt: string, isRead = false): string {
    const { field, cell } = this.#named(column)
    return cells.cellFormula(field, cell, { ...this.#table.book, isRecord, isExempt, isRead })
  }

  #named(column: string): NamedCell {
    const { field, letter } = this.#table.columns.get(column)!
    const cell = `$${letter}${this.#row}`
    return { field, cell, blank: cells.blankFormula(cell, this.#table.book.blankTexts) }
  }

  /** Whether rules leave out the row, if it is a record. */
  #isExempt(): string {
    const { exempt } = this.#table.book
    if (exempt === null) return NEVER
    const read = model.conditionTests(exempt.when).flatMap(model.testColumns).map(labelKey)
    const ofRecord = choice(this.#isAnyFaulty(read, ALWAYS), NEVER, this.#condition(exempt.when))
    return choice(text.say('isAlone', { row: this.#row, range: this.#range }), ofRecord, UNKNOWN)
  }

  /** Whether cells of a record have errors of their own. What right ones hold is known. */
  #isAnyFaulty(columns: readonly string[], isExempt: string): string {
    const areWrong = columns.map((column) => this.#own(column, ALWAYS, isExempt, true))
    return joined('OR', areWrong)
  }

  #condition(condition: model.Condition): string {
    const tests = model.conditionTests(condition).map((test) => this.#outcome(test, true))
    return joined('all' in condition ? 'AND' : 'OR', tests)
  }

  /** Whether a test holds, or does not hold; neither where a blank leaves nothing to ask. */
  #outcome(test: model.RuleTest, isWanted: boolean): string {
    const { blank, holds } = this.#test(test)
    return choice(blank, NEVER, isWanted ? holds : not(holds))
  }

  #test(test: model.RuleTest): { blank: string; holds: string } {
    const names = 'columns' in test ? test.columns : [test.column]
    const own = names.map((name) => this.#named(labelKey(name)))
    const [{ cell }] = own
    const blanks = own.map((one) => one.blank)
    const blank = joined('OR', blanks)
    switch (test.is) {
      case 'oneOf':
      case 'only':
      case 'noneOf': {
        const ofBlank = test.values.some((value) => value.trim() === '') ? ALWAYS : NEVER
        const isListed = choice(blank, ofBlank, isAmong(own[0], test.values))
        return { blank: NEVER, holds: test.is === 'noneOf' ? not(isListed) : isListed }
      }
      case 'listed': {
        const { rows } =
          'list' in test ? this.#table.book.lists.find(({ name }) => name === test.list)! : test
        if (rows.length > MOST_LISTED) return { blank, holds: BEYOND }
        const areRows = rows.map((row) => {
          const areValues = own.map((one, index) => isAmong(one, [row[index]]))
          return joined('AND', areValues)
        })
        return { blank, holds: joined('OR', areRows) }
      }
      case 'matching':
      case 'notMatching': {
        const { wrong } = patternFormula(test.pattern, cell)
        return { blank, holds: test.is === 'matching' ? not(wrong) : wrong }
      }
      case 'startingWith':
      case 'endingWith':
      case 'containing':
        return { blank, holds: text.say(test.is, { cell, text: text.literal(test.text) }) }
      case 'unique':
        return { blank: joined('AND', blanks), holds: BEYOND }
      case 'distinct':
      case 'count':
        return { blank, holds: BEYOND }
      default: {
        if ('than' in test) return this.#comparison(test, own[0])
        // Added to 0, because programs do not call TRUE equal to 1.
        const count = ['0', ...blanks.map(not)].join('+')
        return { blank: NEVER, holds: text.say(test.is, { count, all: own.length }) }
      }
    }
  }

  #comparison({ is, than }: { is: model.Comparison; than: model.Operand }, tested: NamedCell) {
    const operands = model.operandColumns(than).map((name) => this.#named(labelKey(name)))
    const blanks = operands.map((one) => one.blank)
    const blank = joined('OR', [tested.blank, joined('sum' in than ? 'AND' : 'OR', blanks)])
    const all = [tested, ...operands]
    if (isText(tested.field)) {
      // Items of lists are the same with their accents composed or not.
      const ofOther = all.some(({ field }) => field.rule.type === 'list') ? UNKNOWN : NEVER
      const [one, other] = all.map(({ cell }) => cell)
      const isSame =
        'value' in than ? isAmong(tested, [than.value]) : choice(`EXACT(${one},${other})`, ALWAYS, ofOther)
      return { blank, holds: is === 'equal' ? isSame : not(isSame) }
    }
    const places = 'times' in than ? FACTOR_DECIMALS : DECIMALS
    const areExact = all.map((one) => choice(one.blank, ALWAYS, isExact(one, places)))
    const tolerance = 'sum' in than ? than.tolerance : undefined
    const operand = operandOf(than, tested.field, operands)
    const parts = { value: valueOf(tested), operand, tolerance: constant(tolerance ?? 0) }
    const compared = text.say(tolerance === undefined ? 'difference' : 'beyondTolerance', parts)
    return { blank, holds: choice(joined('AND', areExact), text.say(is, { compared }), UNKNOWN) }
  }
}

/** Rows of a list: a formula of more is too long, and takes long to make. */
const MOST_LISTED = 140
/** Decimals of numbers, and of those that are multiplied. */
const [DECIMALS, FACTOR_DECIMALS] = [6, 3]
/** Below it programs compute with as many decimals exactly, once the result is rounded. */
const MAX_EXACT = 1e8
const isText = ({ rule }: Field): boolean => rule.type !== 'number' && rule.type !== 'date'

/** Whether a value is one of some constants. */
function isAmong(tested: NamedCell, given: readonly string[]): string {
  const { field, cell } = tested
  const values = given.map((value) => value.trim()).filter((value) => value !== '')
  if (field.rule.type === 'list') return not(text.isNoItem(cell, values))
  if (isText(field)) return values.length === 0 ? NEVER : text.isOneOf(cell, values)
  const own = valueOf(tested)
  const areEqual = values.map((value) => `${own}=${constantOf(field, value)}`)
  return choice(isExact(tested, DECIMALS), joined('OR', areEqual), UNKNOWN)
}

/** Whether programs compute exactly with the value of a cell that is right. */
const isExact = ({ field: { rule }, cell }: NamedCell, places: number): string =>
  rule.type === 'number' ? text.say('isExact', { cell, places }) : ALWAYS

/** The number or day of a cell that is right. */
function valueOf({ field: { rule }, cell }: NamedCell): string {
  if (rule.type !== 'date') return text.say('number', { cell })
  // Which century two digits mean depends on the day of the upload.
  if (/\byy\b/.test(rule.format)) return BEYOND
  return text.say('dayOfCell', cells.datePlaces(rule.format, cell).places)
}

function operandOf(than: model.Operand, field: Field, operands: readonly NamedCell[]): string {
  if ('today' in than) return BEYOND
  if ('value' in than) return constantOf(field, than.value.trim())
  if ('sum' in than) return operands.map((one) => choice(one.blank, '0', valueOf(one))).join('+')
  const [value, factor] = operands.map(valueOf)
  const { times = 1, plus = 0, unit = 'days' } = than
  if (unit === 'days')
    return `${value}*${factor ?? constant(times as number, FACTOR_DECIMALS)}+${constant(plus)}`
  const months = unit === 'years' ? 12 * plus : plus
  return text.say('moved', { moved: value, months, back: Math.max(0, -months) })
}

function constantOf({ rule }: Field, value: string): string {
  if (rule.type !== 'date') return constant(value.length > 14 ? NaN : Number(value))
  const { parts } = parseDateFormat(rule.format)!
  const numbers = value.match(/\d+/g)!.map(Number)
  const valueOf = (unit: string, missing: number) =>
    numbers[parts.findIndex((part) => part.startsWith(unit))] ?? missing
  return text.say('date', { day: valueOf('d', 1), month: valueOf('M', 1), year: valueOf('y', 2000) })
}

const constant = (value: number, places = DECIMALS): string =>
  Math.abs(value) < MAX_EXACT && Number(value.toFixed(places)) === value ? `(${plainDecimal(value)})` : BEYOND
