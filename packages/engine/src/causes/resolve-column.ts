import { KEEP_ANSWER } from '@veridict/contract/messages/structure'
import type { CauseKind } from '@veridict/contract/model/cause'
import type { Rule } from '@veridict/contract/model/rule'
import { PLACE, separatorOf, swappedFormat } from '#causes/diagnose-date.ts'
import { Proof } from '#causes/diagnosis.ts'
import { type DiagnosisCount, Reading } from '#causes/diagnosis-count.ts'
import type { ValidValues } from '#causes/valid-values.ts'

/** The cause of the cells with one diagnosis, and which of their suggestions counts; null for none. */
export type Resolution = {
  readonly kind: CauseKind
  readonly detail: string
  readonly reading: Reading | null
}

export type ColumnFindings = {
  /** All values of the column together. A set of `Proof`. */
  readonly proves: number
  /** What dates prove about others with the same separator. */
  readonly provesBySeparator: ReadonlyMap<string, number>
  readonly formats: ReadonlySet<string>
  readonly units: number
  readonly currencies: number
  /** Different values that are in no list and near to no option, or too many to know. */
  readonly hasTooManyValues: boolean
  readonly valid: ValidValues | undefined
}

export function findingsOf(
  counts: readonly DiagnosisCount[],
  valid: ValidValues | undefined,
  rule: Rule | undefined,
  mostValues: number,
): ColumnFindings {
  let proves = 0
  let compared = 0
  for (const count of counts) {
    proves |= count.proves
    if (isCompared(count)) compared += count.values?.size ?? Infinity
  }
  const details = (kind: CauseKind) =>
    counts.filter((count) => count.kind === kind).map(({ detail }) => detail)
  return {
    proves,
    provesBySeparator: rule?.type === 'date' ? ordersOf(rule.format, counts, valid) : new Map(),
    formats: new Set(details('dateFormat').concat(details('dateOrder'))),
    units: new Set(details('unit')).size,
    currencies: new Set(details('currency')).size,
    hasTooManyValues: compared > mostValues,
    valid,
  }
}

/**
 * What the dates of each separator prove: 28-02-2023 says nothing of 03/07/2023. With points the day is
 * first, unless dates of the column or its format have points and the month first.
 */
function ordersOf(
  format: string,
  counts: readonly DiagnosisCount[],
  valid: ValidValues | undefined,
): Map<string, number> {
  const found = new Map<string, number>()
  const add = (separator: string, proves: number) =>
    found.set(separator, (found.get(separator) ?? 0) | proves)
  for (const { detail, proves } of counts) add(separatorOf(detail), proves)
  const own = separatorOf(format)
  const ownOrder = orderOf(format)
  if (valid?.hasOwnOrder) add(own, ownOrder | (/\byy$/.test(format) ? Proof.OwnYearLast : 0))
  const ofPoints = found.get('.') ?? 0
  const isMonthFirst = own === '.' && ownOrder === Proof.MonthFirst
  if ((ofPoints & ORDERS) === 0 && !isMonthFirst) add('.', Proof.DayFirst)
  return found
}

/** The `Proof` that dates of a format are; 0 for one that begins with the year. */
export function orderOf(format: string): number {
  if (format.startsWith('y')) return 0
  return format.indexOf('d') < format.indexOf('M') ? Proof.DayFirst : Proof.MonthFirst
}

const ORDERS = Proof.DayFirst | Proof.MonthFirst

const isCompared = ({ kind, detail }: DiagnosisCount): boolean =>
  kind === 'misspelt' || (kind === 'notInList' && detail === '')

/** First or Second where only that proof was found; Both, or Open for neither. */
const provedReading = (proves: number, first: number, second: number): Reading => {
  const both = proves & (first | second)
  if (both === first) return Reading.First
  if (both === second) return Reading.Second
  return both === 0 ? Reading.Open : Reading.Both
}

/** By the answer to a question: what the dates then prove (`order`, a `Proof`), which suggestion counts. */
export const ANSWERS: Readonly<
  Record<string, { readonly reading: Reading | null; readonly order?: number }>
> = {
  dayFirst: { reading: Reading.First, order: Proof.DayFirst },
  monthFirst: { reading: Reading.Second, order: Proof.MonthFirst },
  pad: { reading: Reading.First },
  prefix: { reading: Reading.First },
  [KEEP_ANSWER]: { reading: null },
}

/** The findings where a person said which order the dates have whose order is open. */
export function withOrder(
  findings: ColumnFindings,
  separators: readonly string[],
  order: number,
): ColumnFindings {
  const known = findings.provesBySeparator
  const isOpen = (separator: string) => {
    const proved = (known.get(separator) ?? 0) & ORDERS
    return proved === 0 || proved === ORDERS
  }
  const answered = separators
    .filter(isOpen)
    .map((separator): [string, number] => [separator, ((known.get(separator) ?? 0) & ~ORDERS) | order])
  return { ...findings, provesBySeparator: new Map([...known, ...answered]) }
}

/** What the cells with one diagnosis are, now that the column is known. */
export function resolve(
  { kind, detail, suggested }: Pick<DiagnosisCount, 'kind' | 'detail' | 'suggested'>,
  findings: ColumnFindings,
): Resolution {
  const { proves, units, currencies, hasTooManyValues, valid } = findings
  const comma = provedReading(proves, Proof.DecimalComma, Proof.DecimalPoint)
  const none = (of: CauseKind, ofDetail = ''): Resolution => ({ kind: of, detail: ofDetail, reading: null })
  switch (kind) {
    case 'dateOrder':
    case 'dateFormat':
    case 'dateShortYear':
    case 'dateSwapped':
    case 'timeOfDay':
      return resolveDate(kind, detail, findings, suggested)
    case 'excelSerial':
      return resolveSerial(detail, proves)
    case 'numberOpen':
      if (comma === Reading.First) return { kind: 'decimalComma', detail: '', reading: comma }
      if (comma === Reading.Second) return { kind: 'thousands', detail: '', reading: comma }
      return { kind, detail: comma === Reading.Both ? 'both' : '', reading: comma }
    case 'decimalComma':
    case 'thousands':
      return { kind, detail, reading: comma }
    case 'tooManyDecimals':
    case 'trailingZeros':
      return detail === '' ? { kind, detail, reading: Reading.Open } : resolvePoint(kind, detail, proves)
    case 'unit':
      return units > 1 ? none(kind, 'mixed') : { kind, detail, reading: comma }
    case 'currency':
      return currencies > 1 ? none(kind, 'mixed') : { kind, detail, reading: comma }
    case 'lostZeros': {
      // Without a valid value nothing was asked, and no zero is left.
      const isSure = valid === undefined || valid.hasLeadingZeros || valid.lacksLeadingZeros
      return isSure ? { kind, detail, reading: Reading.First } : none(kind, detail)
    }
    case 'prefix':
      return none(kind, detail)
    case 'misspelt':
      return hasTooManyValues ? none('notInList') : { kind, detail, reading: Reading.Open }
    case 'notInList':
      return none(kind)
    default:
      return { kind, detail, reading: Reading.Open }
  }
}

const resolveSerial = (detail: string, proves: number): Resolution =>
  proves & Proof.OtherNumber
    ? { kind: 'notADate', detail: '', reading: null }
    : { kind: 'excelSerial', detail, reading: Reading.Open }

function resolveDate(
  kind: CauseKind,
  detail: string,
  findings: ColumnFindings,
  suggested: number[],
): Resolution {
  const { provesBySeparator, formats } = findings
  const ofDates = provesBySeparator.get(separatorOf(detail)) ?? 0
  const order = provedReading(ofDates, Proof.DayFirst, Proof.MonthFirst)
  const hasYearFirst = isShortLast(detail) && (ofDates & Proof.YearFirst) !== 0
  const isPlaceOpen = isShortLast(detail) && (ofDates & (Proof.YearLast | Proof.OwnYearLast)) === 0
  const isProved = order === Reading.First || order === Reading.Second
  if (kind === 'dateSwapped') return { kind, detail: '', reading: Reading.Open }
  if (kind === 'timeOfDay') {
    const isOrderOpen = !isProved && suggested[Reading.First] > suggested[Reading.Open]
    if (isOrderOpen && !hasYearFirst && !isPlaceOpen) return ambiguous(order)
    const shown = detail === 'zone' || detail === 'open' ? detail : ''
    return { kind, detail: shown, reading: hasYearFirst || isPlaceOpen ? Reading.Open : order }
  }
  if (detail.startsWith('yy') && kind !== 'dateFormat') return resolveYear(kind, detail, ofDates)
  if (kind === 'dateShortYear') return { kind, detail, reading: Reading.Open }
  if (hasYearFirst) return openYear
  if (kind === 'dateFormat') return { kind, detail: widerFormat(detail, formats), reading: Reading.Open }
  if (!isProved) return ambiguous(order)
  if (isPlaceOpen) return openYear
  const format = order === Reading.First ? detail : swappedFormat(detail)
  return { kind: 'dateFormat', detail: widerFormat(format, formats), reading: order }
}

const ambiguous = (order: Reading): Resolution => ({
  kind: 'dateAmbiguous',
  detail: order === Reading.Both ? 'both' : '',
  reading: order,
})

const openYear: Resolution = { kind: 'dateShortYear', detail: PLACE, reading: null }

/** Whether a format is one of three numbers with a year of two digits after the others. */
const isShortLast = (format: string): boolean => /^[dM]{1,2}[^dMy][dM]{1,2}[^dMy]yy$/.test(format)

/** What 24-03-17 is: another date of the column must show whether it begins with the day or with the year. */
function resolveYear(kind: CauseKind, yearFirst: string, proves: number): Resolution {
  const reading = provedReading(proves, Proof.YearLast, Proof.YearFirst)
  if (reading === Reading.Second) return { kind: 'dateFormat', detail: yearFirst, reading }
  const yearLast = yearFirst.replace(/^yy(.)MM.dd$/, 'dd$1MM$1yy')
  if (reading === Reading.First)
    return { kind: kind === 'dateOrder' ? 'dateFormat' : kind, detail: yearLast, reading }
  return openYear
}

/**
 * What the point of 12.500 and 80.000 is: in a field with decimals a decimal point, unless the column has
 * decimal commas; in one of whole numbers ('whole') another number of the column must show it.
 */
function resolvePoint(kind: CauseKind, detail: string, proves: number): Resolution {
  const hasCommas = (proves & Proof.DecimalComma) !== 0
  const hasPoints = (proves & (Proof.DecimalPoint | Proof.PointDecimals)) !== 0
  if (hasCommas && !hasPoints && (proves & Proof.PointGroups) !== 0)
    return { kind: 'thousands', detail: '', reading: Reading.First }
  const isOpen = hasCommas || (detail === 'whole' && (proves & Proof.PointDecimals) === 0)
  return isOpen
    ? { kind: 'numberOpen', detail: 'point', reading: null }
    : { kind, detail: '', reading: Reading.Open }
}

/** The format of other dates if it fits, too: d/M/yyyy for 03/04/2020 beside 3/4/2020, MMMM for May. */
function widerFormat(format: string, formats: ReadonlySet<string>): string {
  if (format.includes('MMM')) {
    const whole = format.replace(/M+/, 'MMMM')
    return formats.has(whole) ? whole : format
  }
  const short = format.replace('dd', 'd').replace('MM', 'M')
  return formats.has(short) || formats.has(swappedFormat(short)) ? short : format
}
