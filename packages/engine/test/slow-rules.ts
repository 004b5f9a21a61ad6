import type { Field } from '@veridict/contract/model/field'
import type { Comparison, Condition, Operand, RuleBook, RuleTest } from '@veridict/contract/model/row-rule'

/**
 * The slow reference of rules between cells: over a whole table of texts, without bytes, caches or passes. It
 * shares no code with the engine but the checks of single cells, which are passed in.
 */
export type SlowError = {
  row: number
  rule: string
  warning: boolean
  column: string
  columns: string[]
  firstRow: number | null
}
export type SlowTable = { fields: readonly Field[]; rows: readonly (readonly string[])[] }
type Cells = ReadonlyMap<string, string>
type Faults = ReadonlyMap<string, string>

type Value =
  | { kind: 'number'; digits: bigint; scale: number }
  | { kind: 'date'; day: number }
  | { kind: 'text'; text: string }

const MOST_DECIMALS = 60

/** `faultOf`: the code of a cell's own fault, or null. Rows are numbered from 2. */
export function slowErrors(
  { fields, rows }: SlowTable,
  book: RuleBook,
  day: string,
  faultOf: (field: Field, text: string) => string | null,
): { errors: SlowError[]; cellErrors: { row: number; column: string; code: string }[] } {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const blanks = book.blankTexts.map((text) => text.normalize('NFC'))
  const isBlank = (text: string) => text === '' || blanks.includes(text.normalize('NFC'))
  const valueOf = (name: string, text: string): Value => parse(byName.get(name)!, text)
  const errors: SlowError[] = []
  const cellErrors: { row: number; column: string; code: string }[] = []
  const seen = new Map<RuleTest, Map<string, number>>()

  const several = (name: string) => {
    const { rule } = byName.get(name)!
    return rule.type === 'list' ? rule.separator : undefined
  }

  const number = (name: string, cells: Cells) => scaled(valueOf(name, cells.get(name)!))
  const constant = (value: number) => scaled({ kind: 'number', ...decimalOf(value) })

  /** null: a blank cell is among them. */
  function operand(name: string, than: Operand, cells: Cells): Value | null {
    const blank = (one: string) => isBlank(cells.get(one)!)
    if ('value' in than) return valueOf(name, than.value.trim())
    if ('sum' in than) {
      if (than.sum.every(blank)) return null
      const sum = than.sum.reduce((total, one) => total + (blank(one) ? 0n : number(one, cells)), 0n)
      return { kind: 'number', digits: sum, scale: MOST_DECIMALS }
    }
    if ('today' in than) return { kind: 'date', day: moved(dayOf(day), than.plus ?? 0, than.unit ?? 'days') }
    if (blank(than.column) || (typeof than.times === 'string' && blank(than.times))) return null
    const value = valueOf(than.column, cells.get(than.column)!)
    if (value.kind === 'date')
      return { kind: 'date', day: moved(value.day, than.plus ?? 0, than.unit ?? 'days') }
    if (value.kind === 'text') return value
    const one = 10n ** BigInt(MOST_DECIMALS)
    const factor = typeof than.times === 'string' ? number(than.times, cells) : constant(than.times ?? 1)
    return {
      kind: 'number',
      digits: (scaled(value) * factor) / one + constant(than.plus ?? 0),
      scale: MOST_DECIMALS,
    }
  }

  /** null where a blank leaves nothing to ask. */
  function asked(test: RuleTest, cells: Cells, row: number): boolean | null {
    if ('columns' in test) {
      const filled = test.columns.filter((one) => !isBlank(cells.get(one)!)).length
      const { length } = test.columns
      switch (test.is) {
        case 'allFilled':
          return filled === length
        case 'noneFilled':
          return filled === 0
        case 'someFilled':
          return filled >= 1
        case 'oneFilled':
          return filled === 1
        case 'atMostOneFilled':
          return filled <= 1
        case 'allOrNoneFilled':
          return filled === 0 || filled === length
        case 'listed': {
          if (filled < length) return null
          const listed = 'list' in test ? book.lists.find(({ name }) => name === test.list)!.rows : test.rows
          return listed.some((one) =>
            one.every(
              (value, at) =>
                value !== '' &&
                isSame(
                  valueOf(test.columns[at], value),
                  valueOf(test.columns[at], cells.get(test.columns[at])!),
                ),
            ),
          )
        }
        case 'unique': {
          if (filled === 0) return null
          const key = JSON.stringify(
            test.columns.map((one) => (isBlank(cells.get(one)!) ? '' : keyOf(valueOf(one, cells.get(one)!)))),
          )
          const rowsOf = seen.get(test) ?? new Map<string, number>()
          seen.set(test, rowsOf)
          if (rowsOf.has(key)) return false
          rowsOf.set(key, row)
          return true
        }
      }
    }
    const text = cells.get(test.column)!
    const separator = several(test.column)
    const values = separator === undefined ? [text] : text.split(separator).map((part) => part.trim())
    if (test.is === 'filled') return !isBlank(text)
    if (test.is === 'blank') return isBlank(text)
    if (test.is === 'oneOf' || test.is === 'noneOf' || test.is === 'only') {
      if (isBlank(text)) return test.values.includes('') === (test.is !== 'noneOf')
      const isListed = (value: string) =>
        test.values.some(
          (one) => one !== '' && isSame(valueOf(test.column, one), valueOf(test.column, value)),
        )
      return test.is === 'oneOf'
        ? values.some(isListed)
        : test.is === 'only'
          ? values.every(isListed)
          : !values.some(isListed)
    }
    if (isBlank(text)) return null
    if ('text' in test || 'pattern' in test || test.is === 'count' || test.is === 'distinct')
      return ofText(test, text, values)
    return compared(test as RuleTest & { column: string; than: Operand; is: Comparison }, cells)
  }

  function ofText(test: RuleTest, text: string, values: readonly string[]): boolean {
    switch (test.is) {
      case 'startingWith':
        return text.startsWith(test.text)
      case 'endingWith':
        return text.endsWith(test.text)
      case 'containing':
        return text.includes(test.text)
      case 'matching':
        return matches(test.pattern, text)
      case 'notMatching':
        return !matches(test.pattern, text)
      case 'count':
        return values.length >= (test.min ?? 0) && values.length <= (test.max ?? Infinity)
      case 'distinct':
        return new Set(values).size === values.length
      default:
        throw new TypeError(test.is)
    }
  }

  function compared(
    test: RuleTest & { column: string; than: Operand; is: Comparison },
    cells: Cells,
  ): boolean | null {
    const other = operand(test.column, test.than, cells)
    if (other === null) return null
    const own = valueOf(test.column, cells.get(test.column)!)
    if ('sum' in test.than && test.than.tolerance !== undefined) {
      const difference = scaled(own) - scaled(other)
      const isWithin = (difference < 0n ? -difference : difference) <= constant(test.than.tolerance)
      return isWithin === (test.is === 'equal')
    }
    const sign = order(own, other)
    return {
      equal: sign === 0,
      notEqual: sign !== 0,
      less: sign < 0,
      atMost: sign <= 0,
      more: sign > 0,
      atLeast: sign >= 0,
    }[test.is]
  }

  const namesOf = (test: RuleTest): string[] => {
    if ('columns' in test) return test.columns
    if (!('than' in test)) return [test.column]
    const { than } = test
    const others =
      'sum' in than
        ? than.sum
        : 'column' in than
          ? [than.column, ...(typeof than.times === 'string' ? [than.times] : [])]
          : []
    return [test.column, ...others]
  }
  const testsOf = (condition: Condition | undefined) =>
    condition === undefined ? [] : 'all' in condition ? condition.all : condition.any
  const holds = (condition: Condition | undefined, cells: Cells, row: number): boolean => {
    if (condition === undefined) return true
    return 'all' in condition
      ? condition.all.every((test) => asked(test, cells, row) === true)
      : condition.any.some((test) => asked(test, cells, row) === true)
  }

  for (const [index, texts] of rows.entries()) {
    if (texts.every((text) => text.trim() === '')) continue
    const row = index + 2
    const cells: Cells = new Map(fields.map(({ name }, at) => [name, (texts[at] ?? '').trim()]))
    const faults: Faults = new Map(
      fields.flatMap((field, at) => {
        const code = faultOf(field, texts[at] ?? '')
        return code === null ? [] : [[field.name, code] as const]
      }),
    )
    const condition = book.exempt?.when
    const isAsked = testsOf(condition).every((test) =>
      namesOf(test).every((name) => !faults.has(name) || faults.get(name) === 'required'),
    )
    const isExempt = condition !== undefined && isAsked && holds(condition, cells, row)
    for (const [column, code] of faults)
      if (!isExempt || code !== 'required') cellErrors.push({ row, column, code })
    if (isExempt) continue
    for (const rule of book.rules) {
      const ofCondition = testsOf(rule.when).flatMap(namesOf)
      if (ofCondition.some((name) => faults.has(name))) continue
      const tests = holds(rule.when, cells, row) ? rule.then : (rule.otherwise ?? [])
      for (const test of tests) {
        const names = namesOf(test)
        if (names.some((name) => faults.has(name)) || asked(test, cells, row) !== false) continue
        const all = new Set([...ofCondition, ...names])
        errors.push({
          row,
          rule: rule.name,
          warning: rule.severity === 'warning' || (rule.from !== undefined && day < rule.from),
          column: 'columns' in test ? test.columns.at(-1)! : test.column,
          columns: fields.map(({ name }) => name).filter((name) => all.has(name)),
          firstRow: 'columns' in test && test.is === 'unique' ? firstOf(test, cells) : null,
        })
      }
    }
  }
  return { errors, cellErrors }

  function firstOf(test: RuleTest & { columns: string[] }, cells: Cells): number {
    const { columns } = test
    const key = JSON.stringify(
      columns.map((one) => (isBlank(cells.get(one)!) ? '' : keyOf(valueOf(one, cells.get(one)!)))),
    )
    return seen.get(test)!.get(key)!
  }
}

/** As in a field: a letter and its accent are one, whether a program wrote them so or not. */
const matches = (pattern: string, text: string): boolean =>
  [text, text.normalize('NFC')].some((one) => new RegExp(`^(?:${pattern})$`, 'u').test(one))

function parse({ rule }: Field, text: string): Value {
  if (rule.type === 'number') {
    const [whole, decimals = ''] = text.split('.')
    return { kind: 'number', digits: BigInt(`${whole}${decimals}`.replace('+', '')), scale: decimals.length }
  }
  if (rule.type !== 'date') return { kind: 'text', text: rule.type === 'list' ? text.normalize('NFC') : text }
  const parts = rule.format.split(/[/.-]/)
  const numbers = text.split(/[/.-]/).map(Number)
  const part = (letter: string) => numbers[parts.findIndex((one) => one.startsWith(letter))]
  const year = parts.includes('yy') ? (part('y') <= 46 ? 2000 : 1900) + part('y') : (part('y') ?? 2000)
  return { kind: 'date', day: utcDay(year, part('M') ?? 1, part('d') ?? 1) }
}

function utcDay(year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime() / 86_400_000
}

const dayOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000

function moved(day: number, by: number, unit: 'days' | 'months' | 'years'): number {
  if (unit === 'days') return day + by
  const date = new Date(day * 86_400_000)
  const of = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + (unit === 'years' ? 12 * by : by))
  const last = new Date(date.getTime())
  last.setUTCMonth(last.getUTCMonth() + 1)
  last.setUTCDate(0)
  date.setUTCDate(Math.min(of, last.getUTCDate()))
  return date.getTime() / 86_400_000
}

/** Of the shortest decimal; tests use none with exponents. */
function decimalOf(value: number): { digits: bigint; scale: number } {
  const [whole, decimals = ''] = String(value).split('.')
  return { digits: BigInt(whole + decimals), scale: decimals.length }
}

function scaled(value: Value): bigint {
  if (value.kind !== 'number') throw new TypeError('Not a number.')
  return value.digits * 10n ** BigInt(MOST_DECIMALS - value.scale)
}

function order(one: Value, other: Value): number {
  if (one.kind === 'date' && other.kind === 'date') return one.day - other.day
  if (one.kind === 'text' && other.kind === 'text') return one.text === other.text ? 0 : 1
  const difference = scaled(one) - scaled(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const isSame = (one: Value, other: Value): boolean => order(one, other) === 0
const keyOf = (value: Value): string =>
  value.kind === 'number' ? String(scaled(value)) : value.kind === 'date' ? String(value.day) : value.text
