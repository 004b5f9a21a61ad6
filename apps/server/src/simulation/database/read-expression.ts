import type { Expression, Scope, Subqueries } from '#simulation/database/expression.ts'
import { callOf } from '#simulation/database/functions.ts'
import {
  andOf,
  compare,
  comparisons,
  concatenationOf,
  isSame,
  memberOf,
  notOf,
  orOf,
  sumOf,
} from '#simulation/database/operators.ts'
import type { Reader } from '#simulation/database/tokens.ts'

const SECOND = 1000
const units: Record<string, number> = {
  second: SECOND,
  minute: 60 * SECOND,
  hour: 3600 * SECOND,
  day: 86_400 * SECOND,
}

/** Reads an expression. Times are dates, intervals are milliseconds, and null is unknown, as in SQL. */
export const readExpression = (reader: Reader, scope: Scope, queries: Subqueries): Expression =>
  new ExpressionReader(reader, scope, queries).read()

/** A method for each level of precedence, from the weakest operator to the strongest. */
class ExpressionReader {
  readonly #reader: Reader
  readonly #scope: Scope
  readonly #queries: Subqueries

  constructor(reader: Reader, scope: Scope, queries: Subqueries) {
    this.#reader = reader
    this.#scope = scope
    this.#queries = queries
  }

  read(): Expression {
    const left = this.#and()
    if (!this.#reader.takes('or')) return left
    const right = this.read()
    return (c) => orOf(left(c), () => right(c))
  }

  #and(): Expression {
    const left = this.#not()
    if (!this.#reader.takes('and')) return left
    const right = this.#and()
    return (c) => andOf(left(c), () => right(c))
  }

  #not(): Expression {
    if (!this.#reader.takes('not')) return this.#comparison()
    const inner = this.#not()
    return (c) => notOf(inner(c))
  }

  #comparison(): Expression {
    const reader = this.#reader
    const left = this.#sum()
    if (reader.takes('is', 'null')) return (c) => left(c) === null
    if (reader.takes('is', 'not', 'null')) return (c) => left(c) !== null
    if (reader.takes('in')) return this.#in(left)
    if (reader.takes('not', 'between')) return this.#notBetween(left)
    for (const [sign, isMet] of comparisons)
      if (reader.takes(sign)) {
        const right = this.#sum()
        return (c) => compare(left(c), right(c), isMet)
      }
    return left
  }

  #in(left: Expression): Expression {
    const reader = this.#reader
    reader.expect('(')
    if (reader.isNext('select')) {
      const rows = this.#subquery()
      return (c) => {
        const value = left(c)
        return value === null ? null : rows(c).some((row) => isSame(Object.values(row)[0], value))
      }
    }
    const items = reader.list(() => this.read())
    reader.expect(')')
    return (c) => {
      const value = left(c)
      return value === null ? null : items.some((item) => isSame(item(c), value))
    }
  }

  #notBetween(left: Expression): Expression {
    const least = this.#sum()
    this.#reader.expect('and')
    const most = this.#sum()
    return (c) => {
      const value = left(c)
      return orOf(
        compare(value, least(c), (order) => order < 0),
        () => compare(value, most(c), (order) => order > 0),
      )
    }
  }

  #sum(): Expression {
    const reader = this.#reader
    let left = this.#quotient()
    for (;;) {
      if (reader.takes('+')) left = sumOf(left, this.#quotient(), 1)
      else if (reader.takes('-')) left = sumOf(left, this.#quotient(), -1)
      else if (reader.takes('||')) left = concatenationOf(left, this.#quotient())
      else if (reader.takes('->>')) left = memberOf(left, this.#quotient())
      else return left
    }
  }

  #quotient(): Expression {
    let left = this.#cast()
    while (this.#reader.takes('/')) {
      const [dividend, divisor] = [left, this.#cast()]
      left = (c) => (dividend(c) as number) / (divisor(c) as number)
    }
    return left
  }

  #cast(): Expression {
    const reader = this.#reader
    const inner = this.#primary()
    if (!reader.takes('::')) return inner
    const type = reader.name()
    if (reader.takes('[')) reader.expect(']')
    if (type !== 'jsonb') return inner
    return (c) => {
      const value = inner(c)
      return typeof value === 'string' ? JSON.parse(value) : value
    }
  }

  #primary(): Expression {
    const reader = this.#reader
    if (reader.takes('(')) return this.#inParentheses()
    if (reader.takes('exists', '(')) {
      const rows = this.#subquery()
      return (c) => rows(c).length > 0
    }
    if (reader.takes('case')) return this.#case()
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
    return reader.takes('(') ? this.#call(name) : columnOf(reader, this.#scope, name)
  }

  #inParentheses(): Expression {
    if (this.#reader.isNext('select')) {
      const rows = this.#subquery()
      return (c) => {
        const [row] = rows(c)
        return row === undefined ? null : (Object.values(row)[0] ?? null)
      }
    }
    const inner = this.read()
    this.#reader.expect(')')
    return inner
  }

  /** Reads a SELECT and the parenthesis that closes it. */
  #subquery(): ReturnType<Subqueries['select']> {
    const rows = this.#queries.select(this.#scope)
    this.#reader.expect(')')
    return rows
  }

  #case(): Expression {
    const reader = this.#reader
    const subject = reader.isNext('when') ? constant(true) : this.read()
    const cases: [Expression, Expression][] = []
    while (reader.takes('when')) {
      const match = this.read()
      reader.expect('then')
      cases.push([match, this.read()])
    }
    const otherwise = reader.takes('else') ? this.read() : constant(null)
    reader.expect('end')
    return (c) => {
      const value = subject(c)
      const found = cases.find(([match]) => isSame(match(c), value))
      return found === undefined ? otherwise(c) : found[1](c)
    }
  }

  #call(name: string): Expression {
    const reader = this.#reader
    if (name === 'count' && reader.takes('*', ')')) {
      this.#scope.hasAggregate = true
      return (c) => c.group.length
    }
    if (name === 'makeInterval') return this.#makeInterval()
    const values = reader.isNext(')') ? [] : reader.list(() => this.read())
    reader.expect(')')
    return callOf(name, values, this.#scope) ?? reader.fail(`unknown function ${name}`)
  }

  /** `make_interval(secs => …)` */
  #makeInterval(): Expression {
    const reader = this.#reader
    const unit = reader.name()
    reader.expect('=>')
    const amount = this.read()
    reader.expect(')')
    const milliseconds = units[unit.replace(/s$/, '').replace(/^sec$/, 'second')] as number
    return (c) => {
      const value = amount(c)
      return value === null ? null : (value as number) * milliseconds
    }
  }
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
        const columnName = column ?? name
        for (let inner: Scope | null = scope; inner !== level && inner !== null; inner = inner.outer)
          inner.isCorrelated = true
        return (c) => c.slots[slot]?.[columnName] ?? null
      }
    }
  return reader.fail(`unknown column ${name}`)
}

function intervalOf(text: string): number {
  const [amount, unit] = text.split(' ') as [string, string?]
  return Number(amount) * (units[(unit ?? 'second').replace(/s$/, '')] as number)
}
