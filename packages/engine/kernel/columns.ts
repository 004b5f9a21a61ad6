// The second pass: the kinds of columns. `accepts` says whether `[start, end)`, not empty and without quotes
// around it, is surely valid; with white space at an end it never is. `classOf` returns the class of a cell
// that is not accepted, or NO_CLASS: all cells of a class have the same fault, and diagnoses that differ only
// in the text of their suggestions.

import { allocate, QUOTE, SPACE, VECTOR } from './memory'

export const MINUS: u32 = 0x2d
export const PLUS: u32 = 0x2b
export const POINT: u32 = 0x2e
export const ZERO: u32 = 0x30
/** Characters from which on a number with too many decimals may be the noise of a double. */
const SHORTEST_NOISE: u32 = 10
const FIRST_BEYOND_ASCII: u32 = 0x80

/** In memory, since V8 makes a constant vector anew in every turn of a loop. */
const BYTES = memory.data<u8>([0x30, 9])
const WORDS = memory.data<u16>([0xff, 10])
const WORTH_OF_PAIRS = memory.data<i16>([100, 1, 100, 1, 100, 1, 100, 1], 16)
const POWERS_OF_TEN = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
])
/** 29 February goes to the reference. */
const DAYS_IN_MONTH = memory.data<u8>([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])

/** 16 bytes of 0, 32 of 0xff, 32 of 0: a vector read from among them keeps some bytes of another one. */
const MASKS = memory.data(80, 16)
/** A vector read from n bytes before it keeps its first n bytes, n from 0 to 32. */
export const MASKS_END = <u32>MASKS + 48
memory.fill(MASKS + VECTOR, 0xff, 2 * VECTOR)

/** A bit for each of the 16 bytes that is no digit. */
function othersIn(bytes: v128): u32 {
  const digits = i8x16.le_u(i8x16.sub(bytes, v128.load8_splat(BYTES)), v128.load8_splat(BYTES, 1))
  return ~(<u32>i8x16.bitmask(digits)) & 0xffff
}

/** A bit for each of the 16 bytes that is this one. */
function placesOf(byte: u32, bytes: v128): u32 {
  return i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(<i8>byte)))
}

/** A bit for each of the 16 bytes from `first` to `last`. */
function between(first: u32, last: u32, bytes: v128): u32 {
  return i8x16.bitmask(i8x16.le_u(i8x16.sub(bytes, i8x16.splat(<i8>first)), i8x16.splat(<i8>(last - first))))
}

/** Of sixteen digits, the first of each pair in the lower byte: eight numbers below 100. */
function pairsOf(digits: v128): v128 {
  const tens = i16x8.mul(v128.and(digits, v128.load16_splat(WORDS)), v128.load16_splat(WORDS, 2))
  return i16x8.add(tens, i16x8.shr_u(digits, 8))
}

/** The value of a number that `NumberColumn` has accepted. */
export function numberOf(start: u32, end: u32): f64 {
  const sign = <u32>load<u8>(start)
  let digits: u64 = 0
  let point = end - 1
  for (let place = start + <u32>(sign == MINUS || sign == PLUS); place < end; place++) {
    const digit = <u32>load<u8>(place) - ZERO
    if (digit <= 9) digits = digits * 10 + digit
    else point = place
  }
  const value = <f64>digits / load<f64>(POWERS_OF_TEN + ((end - 1 - point) << 3))
  return sign == MINUS ? -value : value
}

/** U+00A0 is C2 A0, U+1680 E1 9A 80, U+2000–205F E2 80–81 xx, U+3000 E3 80 80, U+FEFF EF BB BF. */
function mayBeWideSpace(place: u32): bool {
  const first = <u32>load<u8>(place)
  const second = <u32>load<u8>(place, 1)
  if (first == 0xc2) return second == 0xa0
  if (first == 0xe1) return second == 0x9a
  if (first == 0xe2) return (second & 0xfe) == 0x80
  return (first == 0xe3 && second == 0x80) || (first == 0xef && second == 0xbb)
}

function mayBeWideSpaceAtEnd(start: u32, end: u32): bool {
  // One of two bytes, then one of three: the byte before the cell begins no character.
  return mayBeWideSpace(start) || mayBeWideSpace(end - 2) || mayBeWideSpace(end - 3)
}

/** Whether NFC may change or compose a character. The bytes are those of `mayCompose` of the engine. */
export function mayCompose(start: u32, end: u32): bool {
  for (let place = start; place < end; place++) {
    const byte = <u32>load<u8>(place)
    if (byte - 0xcc <= 2 || byte == 0xd9 || byte - 0xe0 <= 3 || byte >= 0xef) return true
  }
  return false
}

function isShortAscii(start: u32, size: u32): bool {
  return size <= VECTOR && (i8x16.bitmask(v128.load(start)) & ((1 << size) - 1)) == 0
}

/** How many of the bytes begin a character; of escaped quotes, every second. */
function countCharacters(start: u32, end: u32, hasQuotes: bool): u32 {
  let characters: u32 = 0
  let quotes: u32 = 0
  for (let place = start; place < end; place += VECTOR) {
    const bytes = v128.load(place)
    const left = end - place
    const live: i32 = left < VECTOR ? (1 << left) - 1 : 0xffff
    characters += popcnt(i8x16.bitmask(i8x16.gt_s(bytes, i8x16.splat(-65))) & live)
    if (hasQuotes) quotes += popcnt(i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0x22))) & live)
  }
  return characters - (quotes >> 1)
}

export const NO_CLASS: u32 = 0
export const EMPTY: u32 = 1
const TOO_SMALL: u32 = 2
const TOO_LARGE: u32 = 3
/** The first class of the others. */
const FIRST_OTHER: u32 = 4

// Kinds of columns. 0 is UnknownColumn.
export const TEXT: u32 = 1
export const NUMBER: u32 = 2
export const DATE: u32 = 3
export const AUTOMATON: u32 = 4
export const LIST: u32 = 5

@unmanaged
export class Column {
  kind: u32
  required: u32
  /** Whether its cells have classes. */
  classed: u32

  @inline
  mayBePadded(start: u32, end: u32): bool {
    const first = <u32>load<u8>(start)
    const last = <u32>load<u8>(end - 1)
    if (first <= SPACE || last <= SPACE) return true
    return (first | last) >= FIRST_BEYOND_ASCII && mayBeWideSpaceAtEnd(start, end)
  }
}

/** A column without a loop of its own: each cell that is not empty is doubtful. */
@unmanaged
export class UnknownColumn extends Column {
  accepts(start: u32, end: u32, isQuoted: bool): bool {
    return false
  }
}

/** A text with a length from `minimum` to `maximum` characters. */
@unmanaged
export class TextColumn extends Column {
  minimum: u32
  maximum: u32
  /** With so many bytes, or so many characters, a text is surely long enough if it is composed, too. */
  enough: u32
  enoughCharacters: u32

  @inline
  accepts(start: u32, end: u32, isQuoted: bool): bool {
    if (this.mayBePadded(start, end)) return false
    const size = end - start
    if (size <= this.maximum && size >= this.enough) return true
    if (!isQuoted && size >= this.minimum && size <= this.maximum && isShortAscii(start, size)) return true
    const length = countCharacters(start, end, isQuoted)
    if (length < this.minimum || length > this.maximum) return false
    return length == size || length >= this.enoughCharacters || !mayCompose(start, end)
  }
}

/**
 * At most 15 digits, taken as the *last* bytes of a vector, so that each place has its value whatever the
 * length; pairs of digits become numbers below 100, then below 10,000.
 */
@unmanaged
export class NumberColumn extends Column {
  mostDecimals: u32
  /** With so many digits before the point, a number from 1 on, or from 0 on, is surely within the bounds. */
  sureDigits: u32
  lowest: f64
  highest: f64

  @inline
  accepts(start: u32, end: u32, isQuoted: bool): bool {
    const first = <u32>load<u8>(start)
    let size = end - start
    if (first < ZERO) {
      if (first != MINUS && first != PLUS) return false
      size--
    }
    if (size - 1 > 15) return false
    // The highest bit is that of the last byte.
    const others = othersIn(v128.load(end - VECTOR)) << 16
    let decimals = <u32>clz(others)
    let whole = size
    if (decimals >= size) {
      if (size > 15) return false
      decimals = 0
    } else {
      whole -= decimals + 1
      if (<u32>load<u8>(end - 1 - decimals) != POINT || decimals == 0 || whole == 0) return false
      if (decimals > this.mostDecimals || <u32>clz(others << (decimals + 1)) < whole) return false
    }
    if (first != MINUS && whole <= this.sureDigits && (first > ZERO || this.lowest <= 0)) return true
    const value = this.digitsOf(end, whole, decimals) / load<f64>(POWERS_OF_TEN + (decimals << 3))
    const signed = first == MINUS ? -value : value
    return signed >= this.lowest && signed <= this.highest
  }

  /**
   * By how many decimals are too many: one class for numbers with one meaning, two for those whose point may
   * stand between thousands, by whether they fit the bounds without it.
   */
  classOf(start: u32, end: u32): u32 {
    const sign = <u32>load<u8>(start)
    const first = start + <u32>(sign == MINUS || sign == PLUS)
    const size = end - first
    if (size - 1 >= VECTOR) return NO_CLASS
    const others = othersIn(v128.load(end - VECTOR)) >> (VECTOR - size)
    const decimals: u32 = others ? clz(others) + size - 32 : 0
    const whole = size - decimals - <u32>(others != 0)
    if (others) {
      const point = end - 1 - decimals
      if (<u32>load<u8>(point) != POINT || others & (others - 1) || decimals == 0) return NO_CLASS
    }
    if (whole == 0 || whole + decimals > 15) return NO_CLASS
    const value = this.digitsOf(end, whole, decimals)
    const digits = sign == MINUS ? -value : value
    if (decimals <= this.mostDecimals) {
      const number = digits / load<f64>(POWERS_OF_TEN + (decimals << 3))
      return number < this.lowest ? TOO_SMALL : number > this.highest ? TOO_LARGE : NO_CLASS
    }
    // It may be noise, or lose nothing.
    if (end - start >= SHORTEST_NOISE || <u32>load<u8>(end - 1) == ZERO) return NO_CLASS
    const ofDecimals = FIRST_OTHER + decimals * 3
    if (decimals != 3 || whole > 3 || <u32>load<u8>(first) == ZERO) return ofDecimals
    return ofDecimals + 1 + <u32>(digits >= this.lowest && digits <= this.highest)
  }

  /** The number without its point. */
  private digitsOf(end: u32, whole: u32, decimals: u32): f64 {
    // The digits before a point move over it.
    const moved = v128.load(end - VECTOR - <u32>(decimals > 0))
    const bytes = v128.bitselect(v128.load(end - VECTOR), moved, v128.load(MASKS + decimals))
    const digits = v128.and(i8x16.sub(bytes, v128.load8_splat(BYTES)), v128.load(MASKS + whole + decimals))
    const pairs = pairsOf(digits)
    const fours = i32x4.dot_i16x8_s(pairs, v128.load(WORTH_OF_PAIRS))
    const high = i32x4.extract_lane(fours, 0) * 10_000 + i32x4.extract_lane(fours, 1)
    const low = i32x4.extract_lane(fours, 2) * 10_000 + i32x4.extract_lane(fours, 3)
    return <f64>high * 1e8 + <f64>low
  }
}

/** A date of ten bytes: two digits of a day, two of a month, four of a year in some order. */
@unmanaged
export class DateColumn extends Column {
  /** Which byte of the cell is each digit of day, month and year, and each of the two separators. */
  order: v128
  /** What to subtract of each, and the most that may be left. */
  least: v128
  most: v128

  accepts(start: u32, end: u32, isQuoted: bool): bool {
    const digits = this.digitsAt(start)
    const pairs = pairsOf(digits)
    const day = <u32>i16x8.extract_lane_u(pairs, 0)
    const month = <u32>i16x8.extract_lane_u(pairs, 1)
    const year = i32x4.extract_lane(pairs, 1)
    if (end - start != LONGEST_DATE || v128.any_true(i8x16.gt_u(digits, this.most)) || year == 0) return false
    return month <= 12 && day - 1 < <u32>load<u8>(DAYS_IN_MONTH + month)
  }

  private digitsAt(start: u32): v128 {
    return i8x16.sub(i8x16.swizzle(v128.load(start), this.order), this.least)
  }

  /** The number of a day that it has accepted (`dayNumber` of the engine). */
  dayOf(start: u32): f64 {
    const pairs = pairsOf(this.digitsAt(start))
    const months = <u32>i16x8.extract_lane_u(pairs, 1) + 9
    const century = <u32>i16x8.extract_lane_u(pairs, 2)
    const years = century * 100 + <u32>i16x8.extract_lane_u(pairs, 3) - 1 + months / 12
    const ofYears = years * 365 + years / 4 - years / 100 + years / 400
    return <f64>(ofYears + ((months % 12) * 153 + 2) / 5 + <u32>i16x8.extract_lane_u(pairs, 0) - 1)
  }

  /** For a year of four digits first or last: by the form, and by the days that the other numbers can be. */
  classOf(start: u32, end: u32): u32 {
    const size = end - start
    if (size - SHORTEST_DATE > LONGEST_DATE - SHORTEST_DATE) return NO_CLASS
    const others = othersIn(v128.load(start)) & ((1 << size) - 1)
    const afterFirst = others & (others - 1)
    if (afterFirst == 0 || afterFirst & (afterFirst - 1)) return NO_CLASS
    const one = start + ctz(others)
    const other = start + ctz(afterFirst)
    const isYearFirst = one - start == 4
    const yearAt = isYearFirst ? start : other + 1
    const firstAt = isYearFirst ? one + 1 : start
    const firstEnd = isYearFirst ? other : one
    const secondEnd = isYearFirst ? end : other
    const separator = <u32>load<u8>(one)
    const sign = separatorOf(separator)
    if (<u32>load<u8>(other) != separator || sign == 0 || <u32>load<u8>(yearAt) == ZERO) return NO_CLASS
    if (!isYearFirst && end - yearAt != 4) return NO_CLASS
    // One digit or two.
    if (firstEnd - firstAt - 1 > 1 || secondEnd - firstEnd - 2 > 1) return NO_CLASS
    const first = numberIn(firstAt, firstEnd)
    const second = numberIn(firstEnd + 1, secondEnd)
    const year = numberIn(yearAt, yearAt + 2) * 100 + numberIn(yearAt + 2, yearAt + 4)
    const digits = i8x16.sub(i8x16.swizzle(v128.load(start), this.order), this.least)
    const isOwnForm = size == LONGEST_DATE && !v128.any_true(i8x16.gt_u(digits, this.most))
    const isDayFirst = isDay(year, second, first)
    const isMonthFirst = isDay(year, first, second)
    const isOwnDayFirst = i8x16.extract_lane_u(this.order, 0) < i8x16.extract_lane_u(this.order, 2)
    if (isOwnForm && (isOwnDayFirst ? isDayFirst : isMonthFirst)) return NO_CLASS
    const form = (sign << 2) | ((<u32>(size == LONGEST_DATE)) << 1) | <u32>isYearFirst
    const days = ((<u32>(first == second)) << 2) | (isDayFirst << 1) | isMonthFirst
    return FIRST_OTHER + ((form << 4) | (days << 1) | <u32>isOwnForm)
  }
}

const SHORTEST_DATE: u32 = 8
const LONGEST_DATE: u32 = 10

/** The number of the one or two digits in `[from, to)`. */
function numberIn(from: u32, to: u32): u32 {
  const first = <u32>load<u8>(from) - ZERO
  const last = <u32>load<u8>(to - 1) - ZERO
  return to - from == 2 ? first * 10 + last : last
}

/** From 1 on; 0 for a byte that separates no numbers of a date. */
function separatorOf(byte: u32): u32 {
  return byte == 0x2f ? 1 : byte == POINT ? 2 : byte == MINUS ? 3 : byte == SPACE ? 4 : 0
}

/** Without branches, which would often be mispredicted: a month above 12 reads any byte behind the table. */
function isDay(year: u32, month: u32, day: u32): u32 {
  const isLeap = <u32>(year % 4 == 0) & (<u32>(year % 100 != 0) | <u32>(year % 400 == 0))
  const isLeapDay = isLeap & <u32>(month == 2) & <u32>(day == 29)
  return <u32>(month <= 12) & (isLeapDay | <u32>(day - 1 < <u32>load<u8>(DAYS_IN_MONTH + month)))
}

/** What an automaton over bytes accepts (`Automaton` of the engine). State 0 is dead. */
@unmanaged
export class AutomatonColumn extends Column {
  start: u32
  /** Of 256 bytes their classes; the class of a quote, and of what only the reference knows, is 0. */
  classes: u32
  /** `next[state + class]` is the next state. */
  next: u32
  /** By state. */
  accepting: u32
  /** How many digits an accepted text has at least, and at most. */
  leastDigits: u32
  mostDigits: u32
  /** Two `Ranges`. */
  ranges: u32

  @inline
  accepts(start: u32, end: u32, isQuoted: bool): bool {
    const size = end - start
    const ranges = this.ranges
    // No branch between the two: it would often be mispredicted.
    if (size <= VECTOR && isWithin(ranges, start, size) | isWithin(ranges + RANGES_SIZE, start, size))
      return true
    if (this.mayBePadded(start, end)) return false
    const classes = this.classes
    const next = this.next
    let state = this.start
    for (let place = start; place < end; place++)
      state = <u32>load<u16>(next + ((state + <u32>load<u8>(classes + <u32>load<u8>(place))) << 1))
    return load<u8>(this.accepting + state) != 0
  }

  /** The second time for a sign before the text that may be left out, or another first character. */
  findAllRanges(): void {
    this.ranges = allocate(2 * RANGES_SIZE)
    this.findRanges(this.ranges + RANGES_SIZE, this.findRanges(this.ranges, 0))
  }

  /**
   * Finds ranges of bytes: of those that lead to one state, the most. After the first byte it is not the
   * state `other`. Returns which one it is.
   */
  private findRanges(ranges: u32, other: u32): u32 {
    let state = this.start
    let second: u32 = 0
    let sizes: u32 = 0
    for (let place: u32 = 0; place < VECTOR; place++) {
      let first: u32 = 0
      let before: u32 = 0
      let most: u32 = 0
      let best: u32 = 0
      for (let byte = SPACE + 1; byte <= LAST_PRINTABLE; byte++) {
        const target = <u32>load<u16>(this.next + ((state + <u32>load<u8>(this.classes + byte)) << 1))
        if (target != before) first = byte
        before = target
        if (target == 0 || byte - first < most || (place == 0 && target == other)) continue
        store<u8>(ranges + place, first)
        store<u8>(ranges + place, byte - first, VECTOR)
        most = byte - first + 1
        best = target
      }
      state = best
      sizes |= (<u32>load<u8>(this.accepting + state)) << (place + 1)
      if (place == 0) second = best
    }
    store<u32>(ranges, sizes, 2 * VECTOR)
    return second
  }

  /**
   * One class, of texts that `isPlainMismatch` of the engine surely finds: other writings have as many
   * digits, and so do not fit either. What else it looks for hardly ends with a digit.
   */
  classOf(start: u32, end: u32): u32 {
    const first = <u32>load<u8>(start)
    if (<u32>load<u8>(end - 1) - ZERO > 9 || end - start > LONGEST_PLAIN) return NO_CLASS
    let digits: u32 = 0
    let capitals: u32 = 0
    let lookalikes: u32 = 0
    let dashes: u32 = 0
    // White space at the start, or two spaces, and another text may be meant.
    let afterSpace: u32 = 1
    for (let place = start; place < end; place += VECTOR) {
      const bytes = v128.load(place)
      const live: u32 = end - place < VECTOR ? (1 << (end - place)) - 1 : 0xffff
      const spaces = placesOf(SPACE, bytes) & live
      const isKnown = between(SPACE, LAST_PRINTABLE, bytes) & ~placesOf(QUOTE, bytes)
      if ((~isKnown & live) | (spaces & ((spaces << 1) | afterSpace))) return NO_CLASS
      afterSpace = spaces >> (VECTOR - 1)
      digits += popcnt(~othersIn(bytes) & live)
      capitals |= between(CAPITAL_A, CAPITAL_Z, bytes) & live
      lookalikes |= (placesOf(SMALL_L, bytes) | placesOf(SMALL_O, bytes)) & live
      dashes |= (placesOf(MINUS, bytes) | placesOf(COLON, bytes)) & live
    }
    if (digits >= this.leastDigits && digits <= this.mostDigits) return NO_CLASS
    if ((capitals && lookalikes) || !mayStartPlain(first, digits, dashes)) return NO_CLASS
    return FIRST_OTHER
  }
}

/**
 * `Ranges` are a vector of the least byte at each place of a text, one of how many more there may be, and a
 * bit for each size of texts that are accepted. Of any pattern they find some texts, most of many.
 */
const RANGES_SIZE: u32 = 3 * VECTOR

function isWithin(ranges: u32, start: u32, size: u32): u32 {
  const above = i8x16.sub(v128.load(start), v128.load(ranges))
  const others = v128.and(i8x16.sub_sat_u(above, v128.load(ranges, VECTOR)), v128.load(MASKS_END - size))
  return (load<u32>(ranges, 2 * VECTOR) >> size) & <u32>!v128.any_true(others)
}

const COLON: u32 = 0x3a
const PARENTHESIS: u32 = 0x28
const QUESTION_MARK: u32 = 0x3f
const CAPITAL_A: u32 = 0x41
const CAPITAL_Z: u32 = 0x5a
const SMALL_A: u32 = 0x61
const SMALL_L: u32 = 0x6c
const SMALL_O: u32 = 0x6f
const LETTERS: u32 = 26
/** Of a capital letter to its small one. */
const CASE: u32 = 0x20
const LAST_PRINTABLE: u32 = 0x7e
const LONGEST_PLAIN: u32 = 200
/** The letters with which months and days of the week begin, from a on. */
const MONTHS: u32 = 0b10011000111001000101001
/** With so many digits, they may be a number with signs between them. */
const FEWEST_SEPARATED: u32 = 6

/** Whether a text with this first character may be a mismatch and nothing else. */
function mayStartPlain(first: u32, digits: u32, dashes: u32): bool {
  const letter = (first | CASE) - SMALL_A
  if (letter < LETTERS) return dashes == 0 || ((MONTHS >> letter) & 1) == 0
  return digits < FEWEST_SEPARATED && (first == PLUS || first == PARENTHESIS || first == QUESTION_MARK)
}

export const LONGEST_OPTION: u32 = 2 * VECTOR
const HASH_FACTOR: u64 = 0x9e3779b97f4a7c15

/** One of a list of options: a hash table of those of at most 32 bytes, at most a quarter full. */
@unmanaged
export class ListColumn extends Column {
  slots: u32
  /** The number of slots, a power of two, less one. */
  lastSlot: u32

  accepts(start: u32, end: u32, isQuoted: bool): bool {
    return end - start <= LONGEST_OPTION && load<u8>(this.slotOf(start, end - start)) != 0
  }

  /** Makes room for at most so many options, and returns the number of slots. */
  prepare(mostOptions: u32): u32 {
    const slots: u32 = 1 << (34 - clz(mostOptions))
    this.lastSlot = slots - 1
    this.slots = allocate(slots * LONGEST_OPTION)
    return slots
  }

  add(place: u32, size: u32): void {
    if (size <= LONGEST_OPTION) memory.copy(this.slotOf(place, size), place, size)
  }

  /** Where the option of `size` bytes at `place` is, or would be: then that slot is free, all 0. */
  slotOf(place: u32, size: u32): u32 {
    const first = v128.and(v128.load(place), v128.load(MASKS_END - size))
    const second = v128.and(v128.load(place, VECTOR), v128.load(MASKS_END + VECTOR - size))
    let hash = <u64>i64x2.extract_lane(first, 0) * HASH_FACTOR
    hash = (hash ^ (hash >> 29) ^ <u64>i64x2.extract_lane(first, 1)) * HASH_FACTOR
    hash += (<u64>i64x2.extract_lane(second, 0) * HASH_FACTOR) ^ <u64>i64x2.extract_lane(second, 1)
    let slot = <u32>(hash >> 32) ^ <u32>(hash >> 48)
    let at: u32
    let others: v128
    do {
      at = this.slots + ((slot++ & this.lastSlot) << 5)
      others = v128.or(v128.xor(first, v128.load(at)), v128.xor(second, v128.load(at, VECTOR)))
    } while (v128.any_true(others) && load<u8>(at) != 0)
    return at
  }
}
