import { fileGuards, nameLimits, ruleBookLimits } from '#limits.ts'
import { noticeMessages } from '#messages/notices.ts'
import { rowRuleMessages as messages } from '#messages/row-rules.ts'
import type { Field } from '#model/field.ts'
import type {
  Comparison,
  Condition,
  Exemption,
  Operand,
  ReferenceList,
  RowRule,
  RuleBook,
  RuleTest,
} from '#model/row-rule.ts'
import { labelKey } from '#notation/label.ts'
import { formPieces, testForms } from '#notation/rule-sentence.ts'
import { isStorable } from '#notation/storable-text.ts'

/** Checks the rules between cells from any source. Names of columns come out as the fields have them. */

/** `key` is the place: `rules[3].then[0]`, `exempt.when.all[1]`, `lists[0]`, `blankTexts[2]`. */
export type RuleBookFault = { key: string; message: string }
export type CheckedRuleBook = { ok: true; book: RuleBook } | { ok: false; faults: RuleBookFault[] }

/** What only the engine knows of values and patterns. Each returns why it refuses; null if it does not. */
export type ValueChecks = {
  /** Whether a cell of the field can hold the value, of several in a cell each by itself. */
  value(field: Field, value: string): string | null
  /** Whether it is a number, or a date in the field's format, whatever its bounds are. */
  form(field: Field, value: string): string | null
  pattern(pattern: string): string | null
}

type Unchecked = Readonly<Record<string, unknown>>
export type ComparedKind = 'number' | 'date' | 'text'

export function checkRuleBook(
  given: unknown,
  fields: readonly Field[],
  checks: ValueChecks,
): CheckedRuleBook {
  const checker = new Checker(fields, checks)
  const book = checker.book(given)
  return checker.faults.length === 0 ? { ok: true, book } : { ok: false, faults: checker.faults }
}

export const comparedKind = ({ rule }: Field): ComparedKind =>
  rule.type === 'number' || rule.type === 'date' ? rule.type : 'text'

/** Whether a cell of the field holds several values. */
export const holdsSeveral = ({ rule }: Field): boolean => rule.type === 'list' && rule.separator !== undefined

const bookKeys = ['rules', 'exempt', 'blankTexts', 'lists']
const ruleKeys = ['name', 'description', 'severity', 'from', 'when', 'then', 'otherwise']
const ordered: ReadonlySet<unknown> = new Set<Comparison>(['less', 'atMost', 'more', 'atLeast'])
/** Made with the first rule: most processes check none, and others hundreds for each file. */
let keysOfTests: ReadonlyMap<string, readonly string[]> | undefined
const testKeys = (test: string) =>
  (keysOfTests ??= new Map(testForms.map(({ is }) => [is, keysOfTest(is)]))).get(test)

/** The members of a kind of test, as its sentences have them: the column or columns, and what follows. */
function keysOfTest(test: string): readonly string[] {
  const pieces = testForms.filter(({ is }) => is === test).flatMap(({ says }) => formPieces(says))
  return [...new Set(pieces.flatMap(({ slot }) => (slot === 'only' ? 'columns' : (slot ?? []))))]
}

/** Why a test cannot ask a column of the field; null if it can. */
export function misfitOf(is: string, field: Field): string | null {
  const [, setting = ''] = testKeys(is)!
  const { name } = field
  const comparesValues = ['than', 'text', 'pattern', 'rows'].includes(setting) || is === 'unique'
  if (comparesValues && holdsSeveral(field)) return messages.severalCompared(name)
  if ((is === 'count' || is === 'distinct') && !holdsSeveral(field)) return messages.severalNeeded(name)
  const isText = comparedKind(field) === 'text'
  if (ordered.has(is) && isText) return messages.notOrdered(name)
  return (setting === 'text' || setting === 'pattern') && !isText ? messages.notTexts(name) : null
}

/** Ends the check of one test, whose fault is reported with its place. */
class Refused extends Error {}

class Checker {
  readonly faults: RuleBookFault[] = []
  readonly #fields: ReadonlyMap<string, Field>
  readonly #checks: ValueChecks
  #lists: ReadonlyMap<string, ReferenceList> = new Map()
  /** Lists whose rows fit some fields, by their names. */
  readonly #checkedLists = new Set<string>()
  /** Words the faults of what is being checked: with the name of the rule. */
  #worded: (fault: string) => string = (fault) => fault

  constructor(fields: readonly Field[], checks: ValueChecks) {
    this.#fields = new Map(fields.map((field) => [labelKey(field.name), field]))
    this.#checks = checks
  }

  book(given: unknown): RuleBook {
    const empty: RuleBook = { rules: [], exempt: null, blankTexts: [], lists: [] }
    const parts = this.#at('rules', () => object(given, bookKeys))
    if (parts === null) return empty
    const blankTexts = this.#blankTexts(parts.blankTexts)
    const lists = this.#listsOf(parts.lists)
    this.#lists = new Map(lists.map((list) => [list.name, list]))
    return { rules: this.#rules(parts.rules), exempt: this.#exempt(parts.exempt), blankTexts, lists }
  }

  #rules(given: unknown): RowRule[] {
    const rules =
      this.#at('rules', () => list(given ?? []))?.map((rule, index) => this.#rule(rule, index)) ?? []
    if (rules.length > ruleBookLimits.maxRules) this.#report('rules', messages.tooManyRules)
    const names = new Map<string, number>()
    let unique = 0
    for (const [index, rule] of rules.entries()) {
      if (rule === null) continue
      const first = names.get(rule.name)
      this.#worded = (fault) => messages.ofRule(rule.name, index, fault)
      if (first !== undefined) this.#report(`rules[${index}].name`, messages.sameName(first))
      else if (rule.name !== '') names.set(rule.name, index)
      if (rule.then.some(({ is }) => is === 'unique') && ++unique > ruleBookLimits.maxUnique)
        this.#report(`rules[${index}]`, messages.tooManyUnique)
    }
    this.#worded = (fault) => fault
    return rules.filter((rule) => rule !== null)
  }

  #rule(given: unknown, index: number): RowRule | null {
    const key = `rules[${index}]`
    const nameOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
    const name = nameOf((given as Unchecked | null)?.name)
    this.#worded = (fault) => messages.ofRule(name, index, fault)
    const parts = this.#at(key, () => object(given, ruleKeys))
    if (parts === null) return null
    this.#at(`${key}.name`, () => text(name, nameLimits.maxLength, messages.nameRequired))
    const description = this.#description(`${key}.description`, parts.description)
    const { severity, from } = parts
    if (severity !== 'error' && severity !== 'warning') this.#report(`${key}.severity`, messages.severity)
    if (from !== undefined && !isDay(from)) this.#report(`${key}.from`, messages.from)
    const when = this.#condition(`${key}.when`, parts.when)
    const otherwise =
      parts.otherwise === undefined ? [] : this.#tests(`${key}.otherwise`, parts.otherwise, false)
    const mayBeUnique = otherwise.length === 0
    const then = this.#tests(`${key}.then`, parts.then, mayBeUnique)
    if (then.length + otherwise.length === 0 && !this.#hasFaultAt(key))
      this.#report(`${key}.then`, messages.nothingDemanded)
    return {
      name,
      ...(description !== '' && { description }),
      severity: severity === 'warning' ? 'warning' : 'error',
      ...(from !== undefined && { from: String(from) }),
      ...(when !== undefined && { when }),
      then,
      ...(otherwise.length > 0 && { otherwise }),
    }
  }

  #exempt(given: unknown): Exemption | null {
    if (given == null) return null
    this.#worded = messages.ofExemption
    const parts = this.#at('exempt', () => object(given, ['when', 'description']))
    const when = parts && this.#condition('exempt.when', parts.when)
    if (parts !== null && parts.when === undefined) this.#report('exempt.when', messages.condition)
    const description = parts === null ? '' : this.#description('exempt.description', parts.description)
    this.#worded = (fault) => fault
    return when ? { when, ...(description !== '' && { description }) } : null
  }

  #blankTexts(given: unknown): string[] {
    const texts = this.#at('blankTexts', () => list(given ?? [])) ?? []
    const seen = new Set<string>()
    for (const [index, text] of texts.entries()) {
      const trimmed = typeof text === 'string' ? text.trim() : ''
      const isRefused = trimmed === '' || seen.has(trimmed) || !isStorable(trimmed)
      if (isRefused || trimmed.length > fileGuards.maxCellLength)
        this.#report(`blankTexts[${index}]`, messages.blankText)
      seen.add(trimmed)
    }
    return [...seen]
  }

  #listsOf(given: unknown): ReferenceList[] {
    const lists: ReferenceList[] = []
    for (const [index, one] of (this.#at('lists', () => list(given ?? [])) ?? []).entries()) {
      const name = String((one as Unchecked | null)?.name ?? '').trim()
      this.#worded = (fault) => messages.ofList(name, index, fault)
      const checked = this.#at(`lists[${index}]`, () => referenceList(one, name))
      const first = lists.findIndex((other) => other.name === name)
      if (first >= 0) this.#report(`lists[${index}].name`, messages.sameList(first))
      if (checked !== null) lists.push(checked)
    }
    this.#worded = (fault) => fault
    const rows = lists.flatMap((one) => one.rows)
    const bytes = rows.flat().reduce((sum, value) => sum + utf8Length(value), 0)
    if (rows.length > ruleBookLimits.maxListRows || bytes > ruleBookLimits.maxListBytes)
      this.#report('lists', messages.listsTooLarge())
    return lists
  }

  #condition(key: string, given: unknown): Condition | undefined {
    if (given === undefined) return undefined
    const parts = this.#at(key, () => object(given, ['all', 'any']))
    if (parts === null) return undefined
    const [kind, ...others] = Object.keys(parts)
    if (kind === undefined || others.length > 0) {
      this.#report(key, messages.condition)
      return undefined
    }
    const before = this.faults.length
    const tests = this.#tests(`${key}.${kind}`, parts[kind], false)
    if (tests.length === 0 && this.faults.length === before) this.#report(key, messages.condition)
    return kind === 'all' ? { all: tests } : { any: tests }
  }

  #tests(key: string, given: unknown, mayBeUnique: boolean): RuleTest[] {
    const tests = this.#at(key, () => list(given)) ?? []
    const checked = tests.map((test, index) =>
      this.#at(`${key}[${index}]`, () => {
        const parts = object(test)
        if (parts.is === 'unique' && !mayBeUnique) refuse(messages.uniqueInCondition)
        return this.#test(parts)
      }),
    )
    return checked.filter((test) => test !== null)
  }

  #test(given: Unchecked): RuleTest {
    const is = String(given.is)
    const keys = testKeys(is) ?? refuse(messages.unknownTest(is))
    const { column: columnName, columns: columnNames } = object(given, ['is', ...keys])
    if (keys[0] === 'columns') {
      const fields = this.#columns(columnNames)
      refuseMisfits(is, fields)
      const columns = fields.map(({ name }) => name)
      return { columns, is, ...(is === 'listed' && this.#listed(fields, given)) } as RuleTest
    }
    const field = this.#field(columnName)
    refuseMisfits(is, [field])
    return { column: field.name, is, ...this.#settings(is, field, given) } as RuleTest
  }

  /** What a test of one column has beside it. */
  #settings(is: string, field: Field, given: Unchecked): object {
    switch (testKeys(is)![1]) {
      case 'values':
        return { values: textList(given.values).map((value) => this.#value(field, value)) }
      case 'than':
        return { than: this.#operand(is, field, given.than) }
      case 'text':
        return { text: text(given.text, fileGuards.maxCellLength, messages.emptyText) }
      case 'pattern':
        return { pattern: this.#pattern(given.pattern) }
      case 'min':
        return countBounds(given)
      default:
        return {}
    }
  }

  #value(field: Field, value: string): string {
    const trimmed = value.trim()
    const fault = trimmed === '' ? null : this.#checks.value(field, trimmed)
    return fault === null ? trimmed : refuse(messages.valueRefused(value, field.name, fault))
  }

  #pattern(given: unknown): string {
    const pattern = text(given, nameLimits.maxTextLength, messages.emptyText)
    const reason = this.#checks.pattern(pattern)
    return reason === null ? pattern : refuse(messages.patternInvalid(reason))
  }

  #listed(fields: readonly Field[], { rows, list: name }: Unchecked): object {
    if ((rows === undefined) === (name === undefined)) refuse(messages.notAList)
    if (name !== undefined) {
      const known = this.#lists.get(String(name).trim()) ?? refuse(messages.unknownList(String(name)))
      // Hundreds of rules may refer to one list.
      const key = [known.name, ...fields.map((field) => field.name)].join('\0')
      if (!this.#checkedLists.has(key)) this.#checkRows(fields, known.rows)
      this.#checkedLists.add(key)
      return { list: known.name }
    }
    const checked = rowsOf(rows)
    this.#checkRows(fields, checked)
    return { rows: checked }
  }

  /** Numbers and dates must be some, and texts may be what no cell can hold: a reference list has more. */
  #checkRows(fields: readonly Field[], rows: readonly (readonly string[])[]): void {
    for (const row of rows) {
      if (row.length !== fields.length) refuse(messages.rowWidth(fields.length))
      for (const [index, field] of fields.entries()) {
        const fault = row[index] === '' ? null : this.#checks.form(field, row[index])
        if (fault !== null) refuse(messages.valueRefused(row[index], field.name, fault))
      }
    }
  }

  #operand(is: string, field: Field, given: unknown): Operand {
    const parts = object(given)
    const kind = comparedKind(field)
    if (parts.tolerance !== undefined && is !== 'equal' && is !== 'notEqual')
      refuse(messages.toleranceRefused)
    if (parts.value !== undefined) {
      object(parts, ['value'])
      return { value: this.#compared(is, field, parts.value) }
    }
    if (parts.sum !== undefined) {
      object(parts, ['sum', 'tolerance'])
      return this.#sum(field, parts)
    }
    if (parts.today === true) {
      object(parts, ['today', 'plus', 'unit'])
      if (kind !== 'date') refuse(messages.notDates(field.name))
      return { today: true, ...moved(kind, parts) }
    }
    object(parts, ['column', 'times', 'plus', 'unit'])
    const other = this.#field(parts.column ?? refuse(messages.operand))
    if (holdsSeveral(other)) refuse(messages.severalCompared(other.name))
    if (comparedKind(other) !== kind) refuse(messages.unlike(field.name, other.name))
    return { column: other.name, ...this.#times(kind, parts.times), ...moved(kind, parts) }
  }

  /** Of what is only compared, the bounds of the field need not hold: everything may be more than 0. */
  #compared(is: string, field: Field, given: unknown): string {
    const value = text(given, fileGuards.maxCellLength, messages.blankCompared).trim()
    if (value === '') refuse(messages.blankCompared)
    const check = comparedKind(field) === 'text' && is === 'equal' ? this.#checks.value : this.#checks.form
    const fault = check(field, value)
    return fault === null ? value : refuse(messages.valueRefused(value, field.name, fault))
  }

  #sum(field: Field, { sum, tolerance }: Unchecked): Operand {
    const fields = [field, ...this.#columns(sum)]
    const other = fields.find((one) => comparedKind(one) !== 'number')
    if (other !== undefined) refuse(messages.notNumbers(other.name))
    if (tolerance !== undefined && !(isNumber(tolerance) && tolerance >= 0)) refuse(messages.tolerance)
    const columns = fields.slice(1).map(({ name }) => name)
    return { sum: columns, ...(isNumber(tolerance) && { tolerance }) }
  }

  #times(kind: ComparedKind, times: unknown): { times?: number | string } {
    if (times === undefined) return {}
    if (kind !== 'number') refuse(messages.times)
    if (isNumber(times)) return { times }
    if (typeof times !== 'string') refuse(messages.times)
    const factor = this.#field(times)
    if (comparedKind(factor) !== 'number') refuse(messages.notNumbers(factor.name))
    return { times: factor.name }
  }

  #field(name: unknown): Field {
    return this.#fields.get(labelKey(String(name))) ?? refuse(messages.unknownColumn(String(name)))
  }

  #columns(given: unknown): Field[] {
    const fields = textList(given).map((name) => this.#field(name))
    const twice = fields.find((field, index) => fields.indexOf(field) < index)
    return twice === undefined ? fields : refuse(messages.columnTwice(twice.name))
  }

  #description(key: string, given: unknown): string {
    return this.#at(key, () => text(given ?? '', nameLimits.maxTextLength)) ?? ''
  }

  /** Reports what `check` refuses, at its place; null then. */
  #at<T>(key: string, check: () => T): T | null {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#report(key, error.message)
      return null
    }
  }

  #hasFaultAt(key: string): boolean {
    return this.faults.some((fault) => fault.key.startsWith(`${key}.`))
  }

  #report(key: string, fault: string): void {
    this.faults.push({ key, message: this.#worded(fault) })
  }
}

/** The names of the rules that a change of the fields would break, for a refusal of the change. */
export const brokenRules = (
  faults: readonly RuleBookFault[],
  { rules }: Pick<RuleBook, 'rules'>,
): string[] => [
  ...new Set(
    faults.flatMap(({ key }) => {
      const index = /^rules\[(\d+)\]/.exec(key)?.[1]
      return index === undefined ? [] : [rules[Number(index)].name]
    }),
  ),
]

function refuse(fault: string): never {
  throw new Refused(fault)
}

function refuseMisfits(is: string, fields: readonly Field[]): void {
  for (const field of fields) {
    const reason = misfitOf(is, field)
    if (reason !== null) refuse(reason)
  }
}

/** Without members that are null or undefined, which say nothing. */
function object(given: unknown, keys?: readonly string[]): Unchecked {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) refuse(messages.notAnObject)
  const known = Object.entries(given as object).filter(([, value]) => value != null)
  const other = keys && known.find(([key]) => !keys.includes(key))
  return other === undefined ? Object.fromEntries(known) : refuse(messages.unknownKey(other[0]))
}

const list = (given: unknown): readonly unknown[] =>
  Array.isArray(given) ? given : refuse(messages.notAList)

function text(given: unknown, maxLength: number, required?: string): string {
  if (typeof given !== 'string') return refuse(required ?? messages.notAText)
  if (given === '' && required !== undefined) refuse(required)
  if (given.length > maxLength) refuse(noticeMessages.tooLong(maxLength))
  return isStorable(given) ? given : refuse(noticeMessages.invalidValue)
}

function textList(given: unknown): string[] {
  if (!Array.isArray(given) || given.length === 0) refuse(messages.notATextList)
  return given.map((one) => text(one, fileGuards.maxCellLength))
}

const rowsOf = (given: unknown): string[][] => {
  const rows = list(given).map((row) => textList(row).map((value) => value.trim()))
  return rows.length > 0 ? rows : refuse(messages.emptyList)
}

function referenceList(given: unknown, name: string): ReferenceList {
  const parts = object(given, ['name', 'columns', 'rows'])
  text(name, nameLimits.maxLength, messages.nameRequired)
  const columns = textList(parts.columns)
  if (columns.some((column) => column.trim() === '')) refuse(messages.emptyText)
  const rows = rowsOf(parts.rows)
  if (rows.some((row) => row.length !== columns.length)) refuse(messages.rowWidth(columns.length))
  return { name, columns, rows }
}

function countBounds({ min, max }: Unchecked): object {
  const isBound = (bound: unknown) =>
    bound === undefined || (Number.isSafeInteger(bound) && (bound as number) >= 0)
  const isOutOfOrder = isNumber(min) && isNumber(max) && min > max
  if ((min === undefined && max === undefined) || !isBound(min) || !isBound(max) || isOutOfOrder)
    refuse(messages.countBounds)
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

function moved(kind: ComparedKind, { plus, unit }: Unchecked): object {
  if (plus === undefined) return unit === undefined ? {} : refuse(messages.unitRefused)
  if (!isNumber(plus)) refuse(messages.plus)
  if (kind !== 'date') return unit === undefined ? { plus } : refuse(messages.unitRefused)
  if (unit !== 'days' && unit !== 'months' && unit !== 'years') refuse(messages.unitNeeded)
  const isMove = Number.isInteger(plus) && Math.abs(plus) <= ruleBookLimits.maxMove
  return isMove ? { plus, unit } : refuse(messages.plus)
}

const isNumber = (given: unknown): given is number => typeof given === 'number' && Number.isFinite(given)

/** Whether it is a day as rules have it, yyyy-MM-dd. */
export function isDay(given: unknown): boolean {
  if (typeof given !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(given)) return false
  const day = new Date(`${given}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(given)
}

const utf8Length = (value: string): number => new TextEncoder().encode(value).length
