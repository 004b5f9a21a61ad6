import {
  databaseError,
  type Cell,
  type ModelTransaction,
  type Row,
  type Table,
} from '#simulation/database/rows.ts'
import type { Reader } from '#simulation/database/tokens.ts'

/** What a statement runs with. */
export type Context = {
  parameters: readonly unknown[]
  transaction: ModelTransaction
  /** The database's clock. */
  now: number
  tables: { find(name: string): Table | undefined; rows(name: string): Row[] | undefined }
  /** The row of each item of FROM that is being looked at, by the number of the item. */
  slots: (Row | undefined)[]
  cells: (Cell | undefined)[]
  /** Results of the parts of WITH. */
  parts: Row[][]
  /** Results of subqueries that depend on no row outside of them. */
  constants: (Row[] | undefined)[]
  /** The rows of an aggregate, as copies of `slots`. */
  group: (Row | undefined)[][]
  undo: (() => void)[]
}
export type Expression = (context: Context) => unknown

/** What a name may mean: the items of FROM, the innermost first. */
export type Scope = { items: Item[]; outer: Scope | null; hasAggregate: boolean; isCorrelated?: boolean }
export type Item = { alias: string; slot: number; columns: readonly string[] }

/** Compiles the parts of a statement that contain statements. */
export type Subqueries = { select(scope: Scope): (context: Context) => Row[] }

const SECOND = 1000
const units: Record<string, number> = {
  second: SECOND,
  minute: 60 * SECOND,
  hour: 3600 * SECOND,
  day: 86_400 * SECOND,
}

/** Reads an expression. Times are dates, intervals are milliseconds, and null is unknown, as in SQL. */
export function readExpression(reader: Reader, scope: Scope, queries: Subqueries): Expression {
  const expression = () => readExpression(reader, scope, queries)

  const or = (): Expression => {
    const left = and()
    if (!reader.takes('or')) return left
    const right = or()
    return (c) => either(left(c), () => right(c))
  }
  const and = (): Expression => {
    const left = not()
    if (!reader.takes('and')) return left
    const right = and()
    return (c) => both(left(c), () => right(c))
  }
  const not = (): Expression => {
    if (!reader.takes('not')) return comparison()
    const inner = not()
    return (c) => inverse(inner(c))
  }
  const comparison = (): Expression => {
    const left = sum()
    if (reader.takes('is', 'null')) return (c) => left(c) === null
    if (reader.takes('is', 'not', 'null')) return (c) => left(c) !== null
    if (reader.takes('in')) return among(left)
    if (reader.takes('not', 'between')) return outside(left)
    for (const [sign, compare] of comparisons)
      if (reader.takes(sign)) {
        const right = sum()
        return (c) => compared(left(c), right(c), compare)
      }
    return left
  }
  const among = (left: Expression): Expression => {
    reader.expect('(')
    if (reader.isNext('select')) {
      const rows = queries.select(scope)
      reader.expect(')')
      return (c) => {
        const value = left(c)
        return value === null ? null : rows(c).some((row) => same(Object.values(row)[0], value))
      }
    }
    const items = reader.list(expression)
    reader.expect(')')
    return (c) => {
      const value = left(c)
      return value === null ? null : items.some((item) => same(item(c), value))
    }
  }
  const outside = (left: Expression): Expression => {
    const least = sum()
    reader.expect('and')
    const most = sum()
    return (c) => {
      const value = left(c)
      return either(
        compared(value, least(c), (order) => order < 0),
        () => compared(value, most(c), (order) => order > 0),
      )
    }
  }
  const sum = (): Expression => {
    let left = product()
    for (;;) {
      if (reader.takes('+')) left = calculated(left, product(), 1)
      else if (reader.takes('-')) left = calculated(left, product(), -1)
      else if (reader.takes('||')) left = joined(left, product())
      else if (reader.takes('->>')) left = member(left, product())
      else return left
    }
  }
  const product = (): Expression => {
    let left = cast()
    while (reader.takes('/')) {
      const [dividend, divisor] = [left, cast()]
      left = (c) => (dividend(c) as number) / (divisor(c) as number)
    }
    return left
  }
  const cast = (): Expression => {
    const inner = primary()
    if (!reader.takes('::')) return inner
    const type = reader.name()
    if (reader.takes('[')) reader.expect(']')
    if (type !== 'jsonb') return inner
    return (c) => {
      const value = inner(c)
      return typeof value === 'string' ? JSON.parse(value) : value
    }
  }
  const primary = (): Expression => {
    if (reader.takes('(')) {
      if (reader.isNext('select')) {
        const rows = queries.select(scope)
        reader.expect(')')
        return (c) => {
          const [row] = rows(c)
          return row === undefined ? null : (Object.values(row)[0] ?? null)
        }
      }
      const inner = expression()
      reader.expect(')')
      return inner
    }
    if (reader.takes('exists', '(')) {
      const rows = queries.select(scope)
      reader.expect(')')
      return (c) => rows(c).length > 0
    }
    if (reader.takes('case')) return choice()
    if (reader.takes('null')) return () => null
    if (reader.takes('false')) return () => false
    if (reader.takes('interval')) return constant(intervalOf(reader.next().text))
    const { kind, text } = reader.token
    if (kind === 'parameter') {
      reader.next()
      const index = Number(text) - 1
      return (c) => c.parameters[index] ?? null
    }
    if (kind === 'number') return constant(Number(reader.next().text))
    if (kind === 'text') return constant(reader.next().text)
    const name = reader.name()
    if (reader.takes('(')) return call(name)
    return columnOf(reader, scope, name)
  }
  const choice = (): Expression => {
    const subject = reader.isNext('when') ? constant(true) : expression()
    const cases: [Expression, Expression][] = []
    while (reader.takes('when')) {
      const wanted = expression()
      reader.expect('then')
      cases.push([wanted, expression()])
    }
    const otherwise = reader.takes('else') ? expression() : constant(null)
    reader.expect('end')
    return (c) => {
      const value = subject(c)
      const found = cases.find(([wanted]) => same(wanted(c), value))
      return found === undefined ? otherwise(c) : found[1](c)
    }
  }
  const call = (name: string): Expression => {
    if (name === 'count' && reader.takes('*', ')')) {
      scope.hasAggregate = true
      return (c) => c.group.length
    }
    if (name === 'makeInterval') {
      const unit = reader.name()
      reader.expect('=>')
      const amount = expression()
      reader.expect(')')
      const milliseconds = units[unit.replace(/s$/, '').replace(/^sec$/, 'second')] as number
      return (c) => {
        const value = amount(c)
        return value === null ? null : (value as number) * milliseconds
      }
    }
    const values = reader.isNext(')') ? [] : reader.list(expression)
    reader.expect(')')
    const all = (c: Context) => values.map((value) => value(c)).filter((value) => value !== null)
    switch (name) {
      case 'now':
        return (c) => new Date(c.transaction.startedAt)
      case 'clockTimestamp':
        return (c) => new Date(c.now)
      case 'currentDatabase':
        return constant('simulated')
      case 'coalesce':
        return (c) => {
          for (const value of values) {
            const found = value(c)
            if (found !== null) return found
          }
          return null
        }
      case 'greatest':
        return (c) => all(c).reduce((a, b) => (order(a, b) >= 0 ? a : b), all(c)[0]) ?? null
      case 'least':
        return (c) => all(c).reduce((a, b) => (order(a, b) <= 0 ? a : b), all(c)[0]) ?? null
      case 'max':
        scope.hasAggregate = true
        return (c) => extreme(c, values[0] as Expression, 1)
      case 'min':
        scope.hasAggregate = true
        return (c) => extreme(c, values[0] as Expression, -1)
      case 'firstWaitingTurn':
        return firstWaitingTurn
      default:
        return reader.fail(`the function ${name}`)
    }
  }
  return or()
}

/** The function of the migration 0014: the lowest turn of all files that wait. */
const firstWaitingTurn = (c: Context): number | null => {
  let lowest: number | null = null
  for (const { status, turn } of c.tables.rows('submissions') ?? [])
    if (status === 0 && (lowest === null || (turn as number) < lowest)) lowest = turn as number
  return lowest
}

const constant =
  (value: unknown): Expression =>
  () =>
    value

/** `a.b`, or `b` of the innermost item that has it. `excluded` is the row of an INSERT. */
function columnOf(reader: Reader, scope: Scope, name: string): Expression {
  const column = reader.takes('.') ? reader.name() : null
  for (let level: Scope | null = scope; level !== null; level = level.outer)
    for (const { alias, slot, columns } of level.items) {
      if (column !== null ? alias === name : columns.includes(name)) {
        const wanted = column ?? name
        for (let inner: Scope | null = scope; inner !== level && inner !== null; inner = inner.outer)
          inner.isCorrelated = true
        return (c) => c.slots[slot]?.[wanted] ?? null
      }
    }
  return reader.fail(`the column ${name}`)
}

function intervalOf(text: string): number {
  const [amount, unit] = text.split(' ') as [string, string?]
  return Number(amount) * (units[(unit ?? 'second').replace(/s$/, '')] as number)
}

const either = (left: unknown, right: () => unknown): unknown => {
  if (left === true) return true
  const other = right()
  return other === true ? true : left === null || other === null ? null : false
}
const both = (left: unknown, right: () => unknown): unknown => {
  if (left === false) return false
  const other = right()
  return other === false ? false : left === null || other === null ? null : true
}
const inverse = (value: unknown): unknown => (value === null ? null : value !== true)

const plain = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value)
const same = (a: unknown, b: unknown): boolean => a !== null && plain(a) === plain(b)

/** The order of two values, which are not null. */
export function order(a: unknown, b: unknown): number {
  const [left, right] = [plain(a) as number, plain(b) as number]
  return left < right ? -1 : left > right ? 1 : 0
}
const compared = (a: unknown, b: unknown, is: (order: number) => boolean): boolean | null =>
  a === null || b === null ? null : is(order(a, b))

const comparisons: [string, (order: number) => boolean][] = [
  ['=', (found) => found === 0],
  ['<>', (found) => found !== 0],
  ['<=', (found) => found <= 0],
  ['>=', (found) => found >= 0],
  ['<', (found) => found < 0],
  ['>', (found) => found > 0],
]

/** A time and an interval give a time, two times an interval. */
const calculated =
  (left: Expression, right: Expression, sign: 1 | -1): Expression =>
  (c) => {
    const [a, b] = [left(c), right(c)]
    if (a === null || b === null) return null
    const result = (plain(a) as number) + sign * (plain(b) as number)
    if (Number.isNaN(result)) throw databaseError('22000', 'a sum of what is not a number')
    return a instanceof Date && !(b instanceof Date) ? new Date(result) : result
  }
const joined =
  (left: Expression, right: Expression): Expression =>
  (c) => {
    const [a, b] = [left(c), right(c)]
    return a === null || b === null ? null : `${String(a)}${String(b)}`
  }
const member =
  (left: Expression, right: Expression): Expression =>
  (c) => {
    const value = (left(c) as Row | null)?.[right(c) as string]
    return value === undefined || value === null ? null : String(value)
  }

function extreme(c: Context, value: Expression, sign: 1 | -1): unknown {
  let found: unknown = null
  const { slots } = c
  for (const row of c.group) {
    c.slots = row
    const next = value(c)
    if (next !== null && (found === null || order(next, found) * sign > 0)) found = next
  }
  c.slots = slots
  return found
}
