import type { Condition, Operand, RowRule, RuleTest, TestKind } from '#model/row-rule.ts'
import { operandColumns } from '#model/row-rule.ts'
import forms from './rule-forms.json' with { type: 'json' }

/**
 * Rules between cells as sentences of a closed grammar, and back, from one table of forms. Screens, errors
 * and workbooks show them. See docs/BEHAVIOUR.md#sentences-of-rules.
 */

/** A part of a form. `read` returns what it adds to the object, or null; it need not restore the place. */
type Slot = {
  readonly write: (from: Parts) => string
  readonly read: (reader: SentenceReader) => Parts | null
  readonly example: string
}
export type Parts = Readonly<Record<string, unknown>>

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
/** A blank among values is written as a word, for `""` would say nothing to people. */
const written = (value: string): string => (value === '' ? 'blank' : quoted(value))
const rowText = (row: readonly string[]): string => `(${row.map(written).join(', ')})`

const textSlot = (key: string, example: string): Slot => ({
  write: (from) => quoted(String(from[key])),
  read: (reader) => asPart(key, reader.text()),
  example: quoted(example),
})
const numberSlot = (key: string): Slot => ({
  write: (from) => String(from[key]),
  read: (reader) => asPart(key, reader.number()),
  example: '1',
})
const asPart = (key: string, value: unknown): Parts | null => (value === null ? null : { [key]: value })

/** Several values with commas between them. */
function listSlot<T>(
  key: string,
  write: (item: T) => string,
  read: (reader: SentenceReader) => T | null,
  example: string,
): Slot {
  return {
    write: (from) => (from[key] as T[]).map(write).join(', '),
    read(reader) {
      const items = reader.list(() => read(reader))
      return asPart(key, items)
    },
    example: `${example}, ${example}`,
  }
}
const columnsSlot = (key: string): Slot => listSlot(key, quoted, (reader) => reader.text(), '"Column"')

const slots: Readonly<Record<string, Slot>> = {
  column: textSlot('column', 'Column'),
  value: textSlot('value', 'value'),
  text: textSlot('text', 'text'),
  pattern: textSlot('pattern', 'expression'),
  list: textSlot('list', 'List'),
  columns: columnsSlot('columns'),
  /** One column, written without a comma. */
  only: {
    write: (from) => quoted((from.columns as string[])[0]),
    read: (reader) => {
      const column = reader.text()
      return column === null ? null : { columns: [column] }
    },
    example: '"Column"',
  },
  sum: columnsSlot('sum'),
  values: listSlot('values', written, (reader) => reader.value(), '"value"'),
  rows: listSlot('rows', rowText, (reader) => reader.row(), '("value", "value")'),
  min: numberSlot('min'),
  max: numberSlot('max'),
  tolerance: numberSlot('tolerance'),
  times: {
    write: ({ times }) =>
      typeof times === 'number' ? String(times) : `the value of ${quoted(String(times))}`,
    read: (reader) => asPart('times', reader.words('the value of') ? reader.text() : reader.number()),
    example: '1',
  },
  plus: {
    write: (from) => {
      const plus = from.plus as number
      const unit = from.unit as string | undefined
      const amount = Math.abs(plus)
      const ofUnit = unit === undefined ? '' : ` ${amount === 1 ? unit.slice(0, -1) : unit}`
      return `${plus < 0 ? 'minus' : 'plus'} ${amount}${ofUnit}`
    },
    read: (reader) => {
      const sign = reader.words('plus') ? 1 : reader.words('minus') ? -1 : 0
      const amount = sign === 0 ? null : reader.number()
      if (amount === null) return null
      const unit = reader.unit()
      return { plus: amount === 0 ? 0 : sign * amount, ...(unit !== null && { unit }) }
    },
    example: 'plus 1 months',
  },
  than: {
    write: (from) => operandText(from.than as Operand),
    read: (reader) => asPart('than', reader.operand()),
    example: '"value"',
  },
}

/** Of each kind of operand its form. What is in brackets may be left out. */
export type OperandForm = { key: string; form: string; adds?: Parts }
export const operandForms: readonly OperandForm[] = [
  { key: 'value', form: '{value}' },
  { key: 'sum', form: 'the sum of {sum}[ within {tolerance}]' },
  { key: 'column', form: 'the value of {column}[ times {times}][ {plus}]' },
  { key: 'today', form: 'today[ {plus}]', adds: { today: true } },
]

/** Of a test, the first form whose parts it has is written; all forms are read. */
export type TestForm = { readonly is: TestKind; readonly says: string; readonly demands: string }
export const testForms = forms as readonly TestForm[]

/** Whether a condition asks the test, or a rule demands it. */
export type TestSide = 'when' | 'then'

/** What an operand is, such as `the value of "Start" plus 1 month`. */
export const operandText = (operand: Operand): string =>
  filledIn(operandForms.find(({ key }) => key in operand)!.form, operand)

/** What a test says, with its blank case where that is not plain. */
export const testText = (test: RuleTest, side: TestSide): string =>
  filledIn(formOf(test).says, test) + remarkText(test, side)

/** What a test demands of a row; `than` is what its operand is in that row, in words. */
export const demandText = (test: RuleTest, than?: string): string =>
  filledIn(formOf(test).demands, test, than)

/** What is right in a row; `than` as in `demandText`. */
export const expectedText = (test: RuleTest, than?: string): string => filledIn(formOf(test).says, test, than)

export const conditionText = (condition: Condition): string =>
  'all' in condition
    ? condition.all.map((test) => testText(test, 'when')).join(' and ')
    : `either ${condition.any.map((test) => testText(test, 'when')).join(' or ')}`

export const demandsText = (tests: readonly RuleTest[]): string =>
  tests.map((test) => testText(test, 'then')).join(' and ')

type RuleParts = Pick<RowRule, 'when' | 'then' | 'otherwise'>

/** The sentences of a rule, as a workbook has them; '' for what it does not have. */
export type RuleSentences = { if: string; then: string; otherwise: string }
export const ruleSentences = ({ when, then, otherwise = [] }: RuleParts): RuleSentences => ({
  if: when === undefined ? '' : conditionText(when),
  then: demandsText(then),
  otherwise: demandsText(otherwise),
})

/** A whole rule as one sentence. */
export function ruleSentence(rule: RuleParts): string {
  const { if: condition, then, otherwise } = ruleSentences(rule)
  if (condition === '') return `${then}.`
  if (then === '') return `Unless ${condition}: ${otherwise}.`
  return `If ${condition}, then ${then}${otherwise === '' ? '' : `; otherwise ${otherwise}`}.`
}

/** Longest name that is proposed: one line of the list. */
const NAME_LENGTH = 80

/** A name for a rule without one: what it demands first, and when. */
export function proposedName({ when, then, otherwise = [] }: RuleParts): string {
  const demand = demandText([...then, ...otherwise][0])
  // Of a demand that begins with a column, the first character is its quotation mark.
  const begun = demand[0].toUpperCase() + demand.slice(1)
  const words = `${begun}${when ? ` if ${conditionText(when)}` : ''}`.replaceAll('"', '')
  return words.length > NAME_LENGTH ? `${words.slice(0, NAME_LENGTH).replace(/\s+\S*$/, '')}…` : words
}

/** The name, with a number behind it if another rule has it. */
export const freeName = (name: string, taken: readonly string[]): string =>
  [name, ...taken.map((_, index) => `${name} (${index + 2})`)].find((free) => !taken.includes(free))!

/** Whether its name is the one that was proposed, which says nothing beside its sentence. */
export const hasProposedName = (rule: RowRule): boolean =>
  rule.name.replace(/ \(\d+\)$/, '') === proposedName(rule)

/** `at` is a place in the sentence, from 1; `nearest` is the form that fits best up to there. */
export type SentenceFault = { at: number; nearest: string }
export type ReadSentence<T> = { ok: true; value: T } | { ok: false; fault: SentenceFault }

/** Reads what `conditionText` writes; undefined for ''. */
export const readCondition = (text: string): ReadSentence<Condition | undefined> =>
  readWhole<Condition | undefined>(text, undefined, (reader) => reader.condition())

/** Reads what `demandsText` writes. */
export const readDemands = (text: string): ReadSentence<RuleTest[]> =>
  readWhole(text, [], (reader) => reader.demands())

function readWhole<T>(text: string, blank: T, read: (reader: SentenceReader) => T | null): ReadSentence<T> {
  if (text.trim() === '') return { ok: true, value: blank }
  const reader = new SentenceReader(text)
  const value = read(reader)
  return value !== null && reader.isAtEnd() ? { ok: true, value } : { ok: false, fault: reader.fault() }
}

const OPTIONAL = /\[([^\]]*)\]/g
const SLOT = /\{(\w+)\}/g

/** A form in pieces: words, the name of a slot, or a form that may be left out. */
export type FormPiece = { words?: string; slot?: string; optional?: string }
export const formPieces = (text: string): FormPiece[] =>
  [...text.matchAll(/\[(?<optional>[^\]]*)\]|\{(?<slot>\w+)\}|(?<words>[^[{]+)/g)].map(
    ({ groups }) => groups!,
  )

/** A form with the parts of an object. What is in brackets is left out if the object lacks its parts. */
const filledIn = (text: string, from: Parts, than?: string): string =>
  text
    .replace(OPTIONAL, (_, part: string) => (hasParts(part, from) ? part : ''))
    .replace(SLOT, (_, name: string) => (name === 'than' && than) || slots[name].write(from))

const slotNames = (text: string): string[] => [...text.matchAll(SLOT)].map(([, name]) => name)

export function hasParts(text: string, from: Parts): boolean {
  return slotNames(text).every((name) =>
    name === 'only' ? (from.columns as unknown[]).length === 1 : from[name] !== undefined,
  )
}

export const formOf = (test: RuleTest): TestForm =>
  testForms.find(({ is, says }) => is === test.is && hasParts(says, test))!

/** For people who look for the nearest form. */
const exampleOf = (text: string): string =>
  text.replace(OPTIONAL, '').replace(SLOT, (_, name: string) => slots[name].example)

/** Each form of a test, and of what it compares with, for people who write rules. */
export const sentenceExamples = (): readonly string[] => [
  ...testForms.map(({ says }) => exampleOf(says)),
  ...operandForms.map(({ form: text }) => exampleOf(`"Column" is equal to ${text.replaceAll(/[[\]]/g, '')}`)),
]

const FILLED = 'if filled'
const ALL_FILLED = 'if all are filled'
const AND_FILLED = 'and filled'
const OR_BLANK = 'or blank'
const BLANKS_ADD_NOTHING = 'blanks count as 0'

/** The blank case of a test, where it is not plain. */
function remarkOf(test: RuleTest, side: TestSide): string {
  if (test.is === 'noneOf') return test.values.includes('') ? '' : OR_BLANK
  if (test.is === 'listed') return side === 'when' ? '' : test.columns.length > 1 ? ALL_FILLED : FILLED
  if ('columns' in test || ['filled', 'blank', 'oneOf', 'only'].includes(test.is)) return ''
  if ('than' in test && 'sum' in test.than)
    return side === 'when' ? BLANKS_ADD_NOTHING : `${FILLED}, ${BLANKS_ADD_NOTHING}`
  if (side === 'when') return test.is === 'notEqual' || test.is === 'notMatching' ? AND_FILLED : ''
  return 'than' in test && operandColumns(test.than).length > 0 ? ALL_FILLED : FILLED
}

function remarkText(test: RuleTest, side: TestSide): string {
  const remark = remarkOf(test, side)
  return remark === '' ? '' : ` (${remark})`
}

const TEXT = /"(?:[^"]|"")*"/y
const NUMBER = /[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy
const UNIT = /(days?|months?|years?)\b/iy
const SPACES = /\s*/y

/** Reads a sentence from left to right. White space and the case of its words do not matter. */
class SentenceReader {
  readonly #text: string
  #at = 0
  /** The place that the best form has reached. */
  #furthest = -1
  #nearest = ''
  /** The form that is being tried. */
  #tried = exampleOf(testForms[0].says)

  constructor(text: string) {
    this.#text = text
  }

  fault(): SentenceFault {
    return { at: this.#furthest + 1, nearest: this.#nearest }
  }

  isAtEnd(): boolean {
    this.#skipSpaces()
    return this.#at === this.#text.length
  }

  condition(): Condition | null {
    const isEither = this.words('either')
    const first = this.#test('when')
    const isAny = isEither || this.#isNext('or')
    const tests = this.#tests('when', first, isAny ? 'or' : 'and')
    return tests && (isAny ? { any: tests } : { all: tests })
  }

  demands(): RuleTest[] | null {
    return this.#tests('then', this.#test('then'), 'and')
  }

  #tests(side: TestSide, first: RuleTest | null, joint: 'and' | 'or'): RuleTest[] | null {
    if (first === null) return null
    const tests = [first]
    while (!this.isAtEnd()) {
      this.#tried = `… ${joint} …`
      if (!this.words(joint)) return null
      const test = this.#test(side)
      if (test === null) return null
      tests.push(test)
    }
    return tests
  }

  /** The form that reads most of the text counts: a list of one column is also the start of a longer one. */
  #test(side: TestSide): RuleTest | null {
    const start = this.#at
    for (const { is, says } of testForms) {
      this.#at = start
      this.#tried = exampleOf(says)
      const parts = this.#parts(says)
      if (parts === null) continue
      const test = inOrder(is, parts)
      if (this.#remark(test, side)) return test
    }
    return null
  }

  operand(): Operand | null {
    const start = this.#at
    const tried = this.#tried
    for (const { form: text, adds } of operandForms) {
      this.#at = start
      this.#tried = tried.replace(/"value"$/, () => exampleOf(text))
      const parts = this.#parts(text)
      if (parts !== null) return { ...adds, ...parts } as Operand
    }
    return null
  }

  /** Words and slots of a form, one after the other. */
  #parts(text: string): Parts | null {
    let parts: Parts = {}
    for (const { optional, slot = '', words } of formPieces(text)) {
      if (words !== undefined) {
        if (!this.words(words)) return null
        continue
      }
      const start = this.#at
      const found = optional === undefined ? slots[slot].read(this) : this.#parts(optional)
      if (found !== null) parts = { ...parts, ...found }
      else if (optional === undefined) return this.#miss()
      else this.#at = start
    }
    return parts
  }

  /** A remark may be left out; one that says something else is a fault. */
  #remark(test: RuleTest, side: TestSide): boolean {
    if (!this.#isNext('(')) return true
    const remark = remarkText(test, side)
    this.#tried += remark
    return remark === '' ? this.#miss() !== null : this.words(remark)
  }

  /** Reads words; white space between them does not matter. */
  words(words: string): boolean {
    for (const word of words.trim().split(/\s+/)) {
      if (word === '') continue
      if (!this.#isNext(word)) return this.#miss() !== null
      this.#at += word.length
    }
    return true
  }

  #isNext(word: string): boolean {
    this.#skipSpaces()
    const end = this.#at + word.length
    const isCut = /\w$/.test(word) && /\w/.test(this.#text[end] ?? '')
    return !isCut && this.#text.slice(this.#at, end).toLowerCase() === word.toLowerCase()
  }

  list<T>(read: () => T | null): T[] | null {
    const items: T[] = []
    do {
      const item = read()
      if (item === null) return null
      items.push(item)
    } while (this.words(','))
    return items
  }

  row(): string[] | null {
    if (!this.words('(')) return null
    const row = this.list(() => this.value())
    return row !== null && this.words(')') ? row : null
  }

  value(): string | null {
    return this.#isNext('blank') && this.words('blank') ? '' : this.text()
  }

  /** A text in quotes, which are written twice inside it. */
  text(): string | null {
    return this.#match(TEXT)?.slice(1, -1).replaceAll('""', '"') ?? null
  }

  number(): number | null {
    const text = this.#match(NUMBER)
    return text === null ? null : Number(text)
  }

  unit(): string | null {
    const unit = this.#match(UNIT)?.toLowerCase()
    return unit === undefined ? null : unit.endsWith('s') ? unit : `${unit}s`
  }

  #match(pattern: RegExp): string | null {
    this.#skipSpaces()
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return this.#miss()
    this.#at = pattern.lastIndex
    return found[0]
  }

  #skipSpaces(): void {
    SPACES.lastIndex = this.#at
    SPACES.exec(this.#text)
    this.#at = SPACES.lastIndex
  }

  /** What is at this place does not fit the form that is tried. */
  #miss(): null {
    if (this.#at > this.#furthest) {
      this.#furthest = this.#at
      this.#nearest = this.#tried
    }
    return null
  }
}

/** A test with its members in the order of the documentation. */
function inOrder(is: TestKind, { column, columns, ...others }: Parts): RuleTest {
  return { ...(column === undefined ? { columns } : { column }), is, ...others } as RuleTest
}
