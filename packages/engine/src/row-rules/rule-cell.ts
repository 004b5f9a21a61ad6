import type { Field } from '@veridict/contract/model/field'
import { holdsSeveral } from '@veridict/contract/model/check-rule-book'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import type { CellFaultCode } from '@veridict/contract/model/cell-error'
import type { Platform } from '#platform.ts'
import { ByteSet } from '#fast-path/byte-set.ts'
import { readDayNumber } from '#row-rules/day-number.ts'
import { exact, type ExactNumber, exactKey, exactText, parseExact } from '#rules/exact-number.ts'
import { ConstantGroups, OrderGroups } from '#row-rules/groupings.ts'
import { composed } from '#rules/composed.ts'

export type CellPlatform = Pick<Platform, 'encodeUtf8' | 'decodeUtf8' | 'currentYear'>
export type ValueKind = 'number' | 'date' | 'text'

export const valueKindOf = ({ rule }: Field): ValueKind =>
  rule.type === 'number' || rule.type === 'date' ? rule.type : 'text'

const NUMBER = 1
const DAY = 2
const CONSTANT = 4
const VALUES = 8
const BLANK = 16

const [MINUS, PLUS, POINT, DIGIT_0] = [0x2d, 0x2b, 0x2e, 0x30]
/** Digits of an integer that a double surely holds. */
const SAFE_DIGITS = 15
const POWERS_OF_TEN = Array.from({ length: SAFE_DIGITS + 1 }, (_, power) => 10 ** power)

/**
 * The cell of a column that rules between cells read, in the row that was read last. A table says where its
 * text is; canonical values are made from the bytes when a rule first asks for them. One object for all rows.
 */
export class RuleCell {
  readonly column: number
  readonly field: Field
  readonly kind: ValueKind
  /** What is wrong with the cell itself; null if nothing is. */
  fault: CellFaultCode | null = null
  /**
   * Of a plain text in the bytes of the table. `to` is negative where the table did not find a plain text.
   */
  bytes: Uint8Array = NO_BYTES
  from = 0
  to = 0
  /** Values that tests compare the cell with: texts, or the keys of others. */
  readonly #texts = new ByteSet()
  readonly #keys = new Map<number | string, number>()
  readonly constants = new ConstantGroups(this)
  readonly orders = new OrderGroups(
    () => this.isBlank,
    () => this.order,
  )
  readonly #differences = new Map<string, OrderGroups>()
  /** Which of the canonical values below are known. */
  known = 0
  readonly #platform: CellPlatform
  readonly #blankTexts: ByteSet
  /** Whether a number is shown as its value, since a workbook stores numbers and not their texts. */
  readonly #showsNumber: boolean
  readonly #format
  readonly #separator: string | undefined
  /** Whether its texts are items of a list, which are equal with their accents composed or not. */
  readonly isItem: boolean
  /** Whether equal values have equal texts: not numbers, and of dates only those of four-digit years. */
  readonly hasOneText: boolean
  /** The text as in the file; null if it is that of the bytes. */
  #raw: string | null = null
  #own: Uint8Array = NO_BYTES
  #isBlank = true
  #number: ExactNumber | null = null
  /** The digits of a number that a double surely holds, and how many of them are decimals. */
  #digits = NaN
  #decimals = 0
  #day = 0
  #constant = -1
  #values: readonly string[] = []

  constructor(
    column: number,
    field: Field,
    platform: CellPlatform,
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
    this.hasOneText = this.kind === 'text' || this.#format?.parts.join('').length === 8
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
    const text = raw.trim()
    const bytes = this.#platform.encodeUtf8(this.isItem ? composed(text) : text)
    this.see(bytes, 0, bytes.length)
    this.#raw = raw
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

  /** Copies the plain text that was seen last, because its bytes will be moved. */
  keep(): void {
    const { bytes, from, to } = this
    const size = to - from
    if (this.#own.length < size) this.#own = new Uint8Array(size * 2)
    for (let at = 0; at < size; at++) this.#own[at] = bytes[from + at]
    this.see(this.#own, 0, size)
  }

  get isBlank(): boolean {
    if ((this.known & BLANK) === 0) {
      const { bytes, from, to } = this
      this.#isBlank =
        from === to || (this.#blankTexts.size > 0 && this.#blankTexts.find(bytes, from, to) >= 0)
      this.known |= BLANK
    }
    return this.#isBlank
  }

  /** The text as in the file. */
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

  /**
   * The number of a value that tests compare the cell with, counted from 0; -1 for a text that counts as
   * blank.
   */
  addConstant(value: string): number {
    if (this.kind !== 'text') {
      const key = this.read(value, () => this.key)
      if (!this.#keys.has(key)) this.#keys.set(key, this.#keys.size)
      return this.#keys.get(key)!
    }
    const text = this.#platform.encodeUtf8(this.isItem ? composed(value) : value)
    return this.#blankTexts.find(text, 0, text.length) >= 0 ? -1 : this.#texts.add(text)
  }

  get constantCount(): number {
    return this.#texts.size + this.#keys.size
  }

  /** The number of its value among these; -1 if it is none of them, or blank. */
  get constant(): number {
    if ((this.known & CONSTANT) === 0) {
      if (this.constantCount === 0) this.#constant = -1
      else if (this.kind === 'text') this.#constant = this.#texts.find(this.bytes, this.from, this.to)
      else this.#constant = this.isBlank ? -1 : (this.#keys.get(this.key) ?? -1)
      this.known |= CONSTANT
    }
    return this.#constant
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

  /** Its comparisons with an operand of the same row, for all rules; `name` says which operand. */
  differences(other: RuleCell, name: string, operand: () => number): OrderGroups {
    let groups = this.#differences.get(name)
    if (groups === undefined) {
      const isBlank = () => this.isBlank || other.isBlank
      groups = new OrderGroups(isBlank, () => this.order - operand())
      this.#differences.set(name, groups)
    }
    return groups
  }

  /** A canonical value of a constant of this column. */
  read<T>(constant: string, value: () => T): T {
    this.seeText(constant)
    const read = value()
    this.seeNothing()
    return read
  }
}

const NO_BYTES = new Uint8Array(0)
