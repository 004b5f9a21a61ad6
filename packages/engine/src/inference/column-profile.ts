import { type CheckDigitScheme, checkDigitSchemes, type Rule } from '@veridict/contract/model/rule'
import type { DateCandidates } from '#inference/date-candidates.ts'
import { type ValueShape, shapeOf } from '#inference/value-shape.ts'
import { fitsCheckDigit } from '#rules/check-digit.ts'
import { textLength } from '#rules/text.ts'

/** A proposed list has at most so many options of at most this length: few enough to choose from. */
const MAX_OPTIONS = 20
const MAX_OPTION_LENGTH = 50

export type ProposedRule = { rule: Rule; reason: string }

export type Occurrence = { readonly text: string; readonly rowNumber: number }
type ShapeCount = { count: number; first: Occurrence }

/** The digits of a column's numbers, with an example of each thing that would make them codes. */
type Digits = {
  /** The most digits before the point, and a number that has them. */
  most: number
  longest: string
  /** The most digits after the point. */
  decimals: number
  /** A number like 007. */
  withLeadingZero: string | null
  /** The most digits before the point after a '+', and a number that has them. */
  mostAfterPlus: number
  withPlus: string
}

/** How many values the profiles of a table may still keep, together, to see whether they repeat. */
export type ValueBudget = { left: number }

/** Collects what is needed to propose a rule for one column; its size is bounded. */
export class ColumnProfile {
  /** Cells with text: all values except true dates and errors. */
  texts = 0
  /** True dates of a workbook. */
  days = 0
  errors = 0
  firstError: Occurrence | null = null
  /** In code points, over texts and true dates (written yyyy-MM-dd, as other rules check them). */
  shortest = Infinity
  longest = 0
  readonly shapes = new Map<ValueShape, ShapeCount>()
  readonly digits: Digits = {
    most: 0,
    decimals: 0,
    longest: '',
    withLeadingZero: null,
    mostAfterPlus: 0,
    withPlus: '',
  }
  /** The different texts; null if there are too many, or if one cannot be an option. */
  options: Set<string> | null = new Set()
  /** All texts; null if one repeats, or if there are too many of them. */
  different: Set<string> | null = new Set()
  /** Schemes whose check digit fits every text. */
  schemes: readonly CheckDigitScheme[] = checkDigitSchemes
  /** The form of every text, a regular expression in which digits may vary; null if there are several. */
  form: string | null = null
  /** Two dates of the column that no single format fits. */
  clash: readonly [string, string] | null = null
  readonly #dates: DateCandidates
  readonly #budget: ValueBudget
  /** Formats that fit every date so far. */
  #formats: number
  /** The last date that excluded some of them. */
  #narrowest = ''

  constructor(dates: DateCandidates, budget: ValueBudget) {
    this.#dates = dates
    this.#budget = budget
    this.#formats = dates.all
  }

  /** The formats that every text of the column fits, the likelier first. */
  get dateFormats(): readonly string[] {
    return this.count('date') === this.texts ? this.#dates.named(this.#formats) : []
  }

  get values(): number {
    return this.texts + this.days + this.errors
  }

  /** Whether every value is a text, and of one of the shapes. */
  isAll(...shapes: readonly ValueShape[]): boolean {
    return (
      this.texts > 0 &&
      this.days === 0 &&
      shapes.reduce((sum, shape) => sum + this.count(shape), 0) === this.texts
    )
  }

  count(shape: ValueShape): number {
    return this.shapes.get(shape)?.count ?? 0
  }

  /** The first value of that shape, which must have occurred. */
  first(shape: ValueShape): Occurrence {
    return this.shapes.get(shape)!.first
  }

  firstOther(...shapes: readonly ValueShape[]): Occurrence | undefined {
    const others = [...this.shapes].filter(([shape]) => !shapes.includes(shape)).map(([, { first }]) => first)
    return others.toSorted((one, other) => one.rowNumber - other.rowNumber)[0]
  }

  error(sighting: Occurrence): void {
    this.errors++
    this.firstError ??= sighting
  }

  day(text: string): void {
    this.days++
    this.#measure(text)
  }

  /** `text` is trimmed and not blank. */
  text(text: string, rowNumber: number): void {
    this.texts++
    this.#measure(text)
    const shape = shapeOf(text, this.#isDate)
    const seen = this.shapes.get(shape)
    if (seen === undefined) this.shapes.set(shape, { count: 1, first: { text, rowNumber } })
    else seen.count++
    if (shape === 'number') this.#number(text)
    this.#option(text)
    this.#different(text)
    if (this.schemes.length > 0) this.schemes = this.schemes.filter((scheme) => fitsCheckDigit(scheme, text))
    if (this.texts === 1) this.form = formOf(text)
    else if (this.form !== null) this.form = commonForm(this.form, formOf(text))
  }

  #different(text: string): void {
    if (this.different === null) return
    if (!this.different.has(text) && this.#budget.left-- > 0) this.different.add(text)
    else {
      this.#budget.left += this.different.size
      this.different = null
    }
  }

  #measure(text: string): void {
    const length = textLength(text)
    if (length < this.shortest) this.shortest = length
    if (length > this.longest) this.longest = length
  }

  #number(text: string): void {
    const { digits } = this
    const isSigned = text[0] === '+' || text[0] === '-'
    const point = text.indexOf('.')
    const whole = (point < 0 ? text.length : point) - Number(isSigned)
    const decimals = point < 0 ? 0 : text.length - point - 1
    if (whole > 1 && text[Number(isSigned)] === '0') digits.withLeadingZero ??= text
    if (text[0] === '+' && whole > digits.mostAfterPlus)
      Object.assign(digits, { mostAfterPlus: whole, withPlus: text })
    if (whole > digits.most) Object.assign(digits, { most: whole, longest: text })
    if (decimals > digits.decimals) digits.decimals = decimals
  }

  /** Tries the formats that fit all dates so far first: usually one of them fits. */
  readonly #isDate = (text: string): boolean => {
    const left = this.#dates.fits(text, this.#formats)
    if (left === 0 && this.#dates.fits(text, this.#dates.all) === 0) return false
    if (left === 0 && this.#formats !== 0) this.clash = [this.#narrowest, text]
    if (left !== this.#formats) this.#narrowest = text
    this.#formats = left
    return true
  }

  #option(text: string): void {
    if (this.options === null || this.options.has(text)) return
    if (this.options.size === MAX_OPTIONS || !canBeOption(text)) this.options = null
    else this.options.add(text)
  }
}

/** `CLM-20260001` → `CLM-[0-9]{8}`; null for long texts, for characters beyond ASCII, and without digits. */
function formOf(text: string): string | null {
  if (text.length > MAX_OPTION_LENGTH || !/^[ -~]*\d[ -~]*$/.test(text)) return null
  const escaped = text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return escaped.replace(/\d+/g, ({ length }) => (length === 1 ? '[0-9]' : `[0-9]{${length}}`))
}

/** Runs of digits of a form. */
const DIGITS = /(\[0-9\](?:\{\d+\}|\+)?)/

/**
 * null for none. Codes that begin with a letter may have different numbers of digits, as `CLM-9` and
 * `CLM-10`; amounts and texts of several words may not.
 */
function commonForm(one: string, other: string | null): string | null {
  if (one === other) return one
  if (other === null || !/^[A-Za-z][^ ]*$/.test(one)) return null
  const [parts, others] = [one.split(DIGITS), other.split(DIGITS)]
  const isSame =
    parts.length === others.length && parts.every((part, at) => at % 2 > 0 || part === others[at])
  return isSame ? parts.map((part, at) => (part === others[at] ? part : '[0-9]+')).join('') : null
}

/** Forms have one option per line; the database stores no half characters. */
const canBeOption = (text: string): boolean =>
  text.length <= MAX_OPTION_LENGTH && !/[\r\n\0]/.test(text) && text.isWellFormed()
