import type { Expression } from '#simulation/database/expression.ts'
import { databaseError, type Row } from '#simulation/database/rows.ts'

/** The operators of SQL. null means unknown, so most of them return null if one side is null. */

/** OR: the right side is not evaluated if the left one decides. */
export const orOf = (left: unknown, right: () => unknown): unknown => {
  if (left === true) return true
  const other = right()
  return other === true ? true : left === null || other === null ? null : false
}
/** AND: the right side is not evaluated if the left one decides. */
export const andOf = (left: unknown, right: () => unknown): unknown => {
  if (left === false) return false
  const other = right()
  return other === false ? false : left === null || other === null ? null : true
}
/** NOT */
export const notOf = (value: unknown): unknown => (value === null ? null : value !== true)

const comparable = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value)
export const isSame = (a: unknown, b: unknown): boolean => a !== null && comparable(a) === comparable(b)

/** The order of two values, which are not null. */
export function order(a: unknown, b: unknown): number {
  const [left, right] = [comparable(a) as number, comparable(b) as number]
  return left < right ? -1 : left > right ? 1 : 0
}
/** The result of a comparison; null if a value is null. */
export const compare = (a: unknown, b: unknown, is: (order: number) => boolean): boolean | null =>
  a === null || b === null ? null : is(order(a, b))

export const comparisons: [string, (order: number) => boolean][] = [
  ['=', (found) => found === 0],
  ['<>', (found) => found !== 0],
  ['<=', (found) => found <= 0],
  ['>=', (found) => found >= 0],
  ['<', (found) => found < 0],
  ['>', (found) => found > 0],
]

/** A time and an interval give a time, two times an interval. */
export const sumOf =
  (left: Expression, right: Expression, sign: 1 | -1): Expression =>
  (c) => {
    const [a, b] = [left(c), right(c)]
    if (a === null || b === null) return null
    const result = (comparable(a) as number) + sign * (comparable(b) as number)
    if (Number.isNaN(result)) throw databaseError('22000', 'a sum of what is not a number')
    return a instanceof Date && !(b instanceof Date) ? new Date(result) : result
  }
/** `||` */
export const concatenationOf =
  (left: Expression, right: Expression): Expression =>
  (c) => {
    const [a, b] = [left(c), right(c)]
    return a === null || b === null ? null : `${String(a)}${String(b)}`
  }
/** `->>` */
export const memberOf =
  (left: Expression, right: Expression): Expression =>
  (c) => {
    const value = (left(c) as Row | null)?.[right(c) as string]
    return value === undefined || value === null ? null : String(value)
  }
