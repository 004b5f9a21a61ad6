import type { Field } from '@veridict/contract/model/field'
import type { NumberRule, Rule } from '@veridict/contract/model/rule'
import { addPositions, type Counts, positionOf } from '../findings.ts'

export type HandCheck = (text: string) => boolean

/**
 * For peers that have a reader but no rules. On the generated data they give the results of Veridict, but do
 * less: no trimming, no reason, length in UTF-16 units, numbers as doubles.
 */
export const handChecks = (fields: readonly Field[]): HandCheck[] =>
  fields.map(({ rule, required }) => {
    const check = ruleCheck(rule)
    return (text) => (text === '' ? !required : check(text))
  })

function ruleCheck(rule: Rule): HandCheck {
  switch (rule.type) {
    case 'text': {
      const { minLength = 0, maxLength = Infinity } = rule
      return (text) => text.length >= minLength && text.length <= maxLength
    }
    case 'number':
      return (text) => isNumber(text, rule)
    case 'date':
      return isDate
    case 'pattern': {
      const pattern = new RegExp(rule.pattern)
      return (text) => pattern.test(text)
    }
    case 'list': {
      const options = new Set(rule.options)
      return (text) => options.has(text)
    }
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?$/

export function isNumber(
  text: string,
  { scale = Infinity, minimum = -Infinity, maximum = Infinity }: NumberRule,
): boolean {
  if (!NUMBER.test(text)) return false
  const point = text.indexOf('.')
  if (point >= 0 && text.length - point - 1 > scale) return false
  const value = Number(text)
  return value >= minimum && value <= maximum
}

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const SLASH = 0x2f

/** A real calendar day, dd/MM/yyyy. Character codes take half the time of a regular expression and Date. */
export function isDate(text: string): boolean {
  if (text.length !== 10) return false
  for (let index = 0; index < 10; index++) {
    const code = text.charCodeAt(index)
    if (index === 2 || index === 5 ? code !== SLASH : code < 48 || code > 57) return false
  }
  const day = Number(text.slice(0, 2))
  const month = Number(text.slice(3, 5))
  const year = Number(text.slice(6))
  if (month < 1 || month > 12 || day < 1 || day > DAYS_IN_MONTH[month - 1]) return false
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
}

/** The number of bad rows whose values a program must store: as many as the portal shows. */
const KEPT_ROWS = 100

type KeptCell = { row: number; column: number; value: string }

/** As the portal does: all counts, and the values of the first bad rows. */
export class Findings {
  rows = 0
  badCells = 0
  positions = 0
  readonly perColumn: number[]
  readonly kept: KeptCell[] = []
  readonly #columns: number
  #keptRows = 0
  #lastBadRow = -1

  constructor(columns: number) {
    this.#columns = columns
    this.perColumn = Array.from({ length: columns }, () => 0)
  }

  badCell(row: number, column: number, value: string): void {
    this.badCells++
    this.perColumn[column]++
    this.positions = addPositions(this.positions, positionOf(row, column, this.#columns))
    if (row !== this.#lastBadRow) {
      this.#lastBadRow = row
      this.#keptRows++
    }
    if (this.#keptRows <= KEPT_ROWS) this.kept.push({ row, column, value })
  }

  counts(): Counts {
    return { rows: this.rows, badCells: this.badCells, perColumn: this.perColumn, positions: this.positions }
  }
}
