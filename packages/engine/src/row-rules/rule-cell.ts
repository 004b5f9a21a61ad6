import type { Field } from '@veridict/contract/model/field'
import { holdsSeveral } from '@veridict/contract/model/check-rule-book'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import type { CellFaultCode } from '@veridict/contract/model/cell-error'
import type { TextPlatform } from '#platform.ts'
import { ByteSet } from '#fast-path/byte-set.ts'
import { readDayNumber } from '#row-rules/day-number.ts'
import { exact, type ExactNumber, exactKey, exactText, parseExact } from '#rules/exact-number.ts'
import { QUOTE } from '#formats/byte-names.ts'
import { BLANK, Grouping, NumberOf, type RuleExports } from '#row-rules/groupings.ts'
import { composed, mayCompose } from '#rules/composed.ts'

export type ValueKind = 'number' | 'date' | 'text'

export const valueKindOf = ({ rule }: Field): ValueKind =>
  rule.type === 'number' || rule.type === 'date' ? rule.type : 'text'

const NUMBER = 1
const DAY = 2
const VALUES = 4
const IS_BLANK = 8

/** The code of a text that is none of the constants. */
const OTHER = -1

const [MINUS, PLUS, POINT, DIGIT_0] = [0x2d, 0x2b, 0x2e, 0x30]
/** Digits of an integer that a double surely holds. */
const SAFE_DIGITS = 15
const POWERS_OF_TEN = Array.from({ length: SAFE_DIGITS + 1 }, (_, power) => 10 ** power)

/**
 * The cell of a column that rules between cells read, in the row read last; one object for all rows.
 * Canonical values are made from its bytes when a rule first asks for them.
 */
export class RuleCell {
  readonly column: number
  readonly field: Field
  readonly kind: ValueKind
  /** What is wrong with the cell itself; null if nothing is. */
  fault: CellFaultCode | null = null
  /** The text is `[from, to)` of these bytes, mostly the table's; `to` is negative if it is no plain text. */
  bytes: Uint8Array = NO_BYTES
  from = 0
  to = 0
  /** Texts that tests compare the cell with. */
  readonly #constants = new ByteSet()
  /** By its code. */
  readonly grouping = new Grouping(NumberOf.Value, [this], () => this.code)
  readonly #differences = new Map<string, Grouping>()
  /** Which of the canonical values below are known. */
  known = 0
  readonly #platform: TextPlatform
  readonly #blankTexts: ByteSet
  /** Whether a number is shown as its value, since a workbook stores numbers and not their texts. */
  readonly #showsNumber: boolean
  readonly #format
  readonly #separator: string | undefined
  /** Whether its texts are items of a list, which are equal with their accents composed or not. */
  readonly isItem: boolean
  /** The text as in the file; null if it is that of the bytes. */
  #raw: string | null = null
  #own: Uint8Array = NO_BYTES
  #isBlank = true
  #number: ExactNumber | null = null
  /** The digits of a number that a double surely holds, and how many of them are decimals. */
  #digits = NaN
  #decimals = 0
  #day = 0
  #values: readonly string[] = []

  constructor(
    column: number,
    field: Field,
    platform: TextPlatform,
    blankTexts: ByteSet,
    showsNumber: boolean,
  ) {
    this.column = column
    this.field = field
    this.kind = valueKindOf(field)
    this.#platform = platform
    this.#blankTexts = blankTexts
    this.#showsNumber = showsNumber && this.kind === 'number'
    const { rule } = field
    this.#format = rule.type === 'date' ? parseDateFormat(rule.format) : null
    this.isItem = rule.type === 'list'
    this.#separator = rule.type === 'list' && holdsSeveral(field) ? rule.separator : undefined
  }

  /** A plain text, which is neither padded nor escaped. */
  see(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes
    this.from = from
    this.to = to
    this.known = 0
    this.#raw = null
  }

  /** Any text, as it is in the file. */
  seeText(raw: string): void {
    const bytes = this.#encoded(raw.trim())
    this.see(bytes, 0, bytes.length)
    this.#raw = raw
  }

  #encoded(text: string): Uint8Array {
    return this.#platform.encodeUtf8(this.isItem ? composed(text) : text)
  }

  seeNothing(): void {
    this.see(NO_BYTES, 0, 0)
  }

  /** A true date of a workbook, and its text as the report shows it. */
  seeDay(day: number, raw: string): void {
    this.seeText(raw)
    this.#day = day
    this.known = DAY
  }

  /** Copies the text that was seen last: its bytes will be moved, or each `escape` in it is there twice. */
  keep(escape = NO_BYTE): void {
    const { bytes, from, to } = this
    if (this.#own.length < to - from) this.#own = new Uint8Array((to - from) * 2)
    let size = 0
    for (let at = from; at < to; at++) {
      this.#own[size++] = bytes[at]
      if (bytes[at] === escape) at++
    }
    this.see(this.#own, 0, size)
  }

  get hasBlankTexts(): boolean {
    return this.#blankTexts.size > 0
  }

  get isBlank(): boolean {
    if ((this.known & IS_BLANK) === 0) {
      this.#isBlank = this.from === this.to || (this.hasBlankTexts && this.#isBlankText())
      this.known |= IS_BLANK
    }
    return this.#isBlank
  }

  #isBlankText(): boolean {
    let { bytes, from, to } = this
    if (mayCompose(bytes, from, to)) {
      bytes = this.#platform.encodeUtf8(composed(this.#decoded))
      from = 0
      to = bytes.length
    }
    return this.#blankTexts.find(bytes, from, to) >= 0
  }

  get raw(): string {
    if (this.#raw !== null) return this.#raw
    return this.#showsNumber && !this.isBlank ? exactText(this.number) : this.#decoded
  }

  /** The text as it was typed in, trimmed. */
  get text(): string {
    return this.#raw === null ? this.#decoded : this.#raw.trim()
  }

  get #decoded(): string {
    return this.from === this.to ? '' : this.#platform.decodeUtf8(this.bytes, this.from, this.to)
  }

  /** Of a cell that is not blank, like all that follow. */
  get number(): ExactNumber {
    this.#readNumber()
    const isShort = !Number.isNaN(this.#digits)
    return (this.#number ??= isShort ? exact(this.#digits, this.#decimals) : parseExact(this.#decoded))
  }

  /** A double in the order of the values, equal for equal ones; NaN where only `number` is exact. */
  get order(): number {
    if (this.kind === 'date') return this.day
    this.#readNumber()
    return this.#digits / POWERS_OF_TEN[this.#decimals]
  }

  #readNumber(): void {
    if ((this.known & NUMBER) !== 0) return
    this.known |= NUMBER
    this.#number = null
    const { bytes, from, to } = this
    const sign = bytes[from]
    const start = sign === MINUS || sign === PLUS ? from + 1 : from
    let digits = 0
    let point = to - 1
    for (let at = start; at < to; at++) {
      if (bytes[at] === POINT) point = at
      else digits = digits * 10 + bytes[at] - DIGIT_0
    }
    this.#decimals = to - 1 - point
    this.#digits = to - start > SAFE_DIGITS ? NaN : sign === MINUS ? -digits : digits
  }

  get day(): number {
    if ((this.known & DAY) === 0) {
      const { bytes, from, to } = this
      this.#day = readDayNumber(bytes, from, to, this.#format!.parts, this.#platform.currentYear)
      this.known |= DAY
    }
    return this.#day
  }

  /** The code of a value that tests compare the cell with. */
  addConstant(value: string): number {
    if (this.kind !== 'text') return this.read(value, () => this.order)
    this.#constants.add(this.#encoded(value))
    return this.read(value, () => this.code)
  }

  /** BLANK, a number, a day, or which of the constants a text is; NaN where only `number` is exact. */
  get code(): number {
    if (this.isBlank) return BLANK
    if (this.kind !== 'text') return this.order
    return this.#constants.size === 0 ? OTHER : this.#constants.find(this.bytes, this.from, this.to)
  }

  get isOther(): boolean {
    return this.code === OTHER
  }

  get holdsSeveral(): boolean {
    return this.#separator !== undefined
  }

  /** The values of a cell with several. */
  get values(): readonly string[] {
    if ((this.known & VALUES) === 0) {
      this.#values = this.#decoded.split(this.#separator!).map((value) => composed(value.trim()))
      this.known |= VALUES
    }
    return this.#values
  }

  /** A key that equal values have, and no others. */
  get key(): number | string {
    return this.kind === 'number' ? exactKey(this.number) : this.kind === 'date' ? this.day : this.#decoded
  }

  isSameText(other: RuleCell): boolean {
    if (this.to - this.from !== other.to - other.from) return false
    const { bytes, from, to } = this
    for (let at = from, its = other.from; at < to; at++, its++)
      if (bytes[at] !== other.bytes[its]) return false
    return true
  }

  /** By what it has more than an operand of the same row, for all rules; `name` says which operand. */
  differences(other: RuleCell, name: string, operand: () => number, plus = 0): Grouping {
    let grouping = this.#differences.get(name)
    if (grouping === undefined) {
      const number = () => (this.isBlank || other.isBlank ? BLANK : this.order - operand())
      grouping = new Grouping(NumberOf.Difference, [this, other], number, plus)
      this.#differences.set(name, grouping)
    }
    return grouping
  }

  /** Describes it to the kernel, which then finds the same `code`. Returns its address there. */
  describe({ memory, data, addRuleColumn, addText }: RuleExports): number {
    const constants = this.#constants.texts
    const blanks = this.#blankTexts.texts
    const column = addRuleColumn(this.column, constants.length + blanks.length)
    const add = (text: Uint8Array, code: number) => {
      new Uint8Array(memory.buffer).set(text, data.value)
      addText(column, text.length, code)
    }
    for (const [code, text] of constants.entries()) add(text, code)
    for (const text of blanks) add(text, BLANK_CODE)
    return column
  }

  /** Whether the kernel finds its texts by their bytes, in which quotes are doubled. */
  get isPlain(): boolean {
    const texts = [...this.#constants.texts, ...this.#blankTexts.texts]
    return texts.every((text) => !text.includes(QUOTE))
  }

  /** A canonical value of a constant of this column. */
  read<T>(constant: string, value: () => T): T {
    this.seeText(constant)
    const read = value()
    this.seeNothing()
    return read
  }
}

/** Of a text that counts as blank, to the kernel. */
const BLANK_CODE = 0xffffffff
const NO_BYTE = -1
const NO_BYTES = new Uint8Array(0)
