import type { Context, Expression, Scope } from '#simulation/database/expression.ts'
import { order } from '#simulation/database/operators.ts'

/**
 * A call of a function of SQL or of the portal's migrations; null for one that the model does not have. Marks
 * the scope of an aggregate.
 */
export function callOf(name: string, values: readonly Expression[], scope: Scope): Expression | null {
  const [first] = values as [Expression]
  const known = (c: Context) => values.map((value) => value(c)).filter((value) => value !== null)
  switch (name) {
    case 'now':
      return (c) => new Date(c.transaction.startedAt)
    case 'clockTimestamp':
      return (c) => new Date(c.now)
    case 'currentDatabase':
      return () => 'simulated'
    case 'coalesce':
      return (c) => firstKnown(c, values)
    case 'greatest':
      return (c) => extremeOf(known(c), 1)
    case 'least':
      return (c) => extremeOf(known(c), -1)
    case 'max':
    case 'min':
      scope.hasAggregate = true
      return (c) => extremeOfGroup(c, first, name === 'max' ? 1 : -1)
    case 'firstWaitingTurn':
      return firstWaitingTurn
    default:
      return null
  }
}

/** `coalesce`: later values are not evaluated. */
function firstKnown(c: Context, values: readonly Expression[]): unknown {
  for (const value of values) {
    const found = value(c)
    if (found !== null) return found
  }
  return null
}

/** The largest value (`sign` 1) or the smallest one (-1); null without values. */
const extremeOf = (values: readonly unknown[], sign: 1 | -1): unknown =>
  values.reduce((a, b) => (a === null || order(b, a) * sign > 0 ? b : a), null)

function extremeOfGroup(c: Context, value: Expression, sign: 1 | -1): unknown {
  const { slots } = c
  const values = c.group.map((row) => {
    c.slots = row
    return value(c)
  })
  c.slots = slots
  return extremeOf(
    values.filter((found) => found !== null),
    sign,
  )
}

/** The function of the migration 0014: the lowest turn of all files that wait. */
function firstWaitingTurn(c: Context): number | null {
  let lowest: number | null = null
  for (const { status, turn } of c.tables.rows('submissions') ?? [])
    if (status === 0 && (lowest === null || (turn as number) < lowest)) lowest = turn as number
  return lowest
}
