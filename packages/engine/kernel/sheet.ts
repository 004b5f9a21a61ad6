// Where the cells of a worksheet are, and which of them are surely valid.

import { Column, MINUS, POINT, ZERO } from './columns'
import * as at from './memory'

const AMPERSAND: u32 = 0x26
const SLASH: u32 = 0x2f
const SEMICOLON: u32 = 0x3b
const LESS_THAN: u32 = 0x3c
const GREATER_THAN: u32 = 0x3e
const UPPER_A: u32 = 0x41
const UNDERSCORE: u32 = 0x5f
const LOWER_X: u32 = 0x78

/** `<&_`, CR, NUL and `>'"`, in memory, since V8 makes a constant vector anew in every turn of a loop. */
const BYTES = memory.data<u8>([0x3c, 0x26, 0x5f, 0x0d, 0x00, 0x3e, 0x27, 0x22])

// Bytes as numbers, the first one last.
const ROW: u64 = 0x223d7220776f723c // <row r="
const ROW_END: u64 = 0x3e776f722f3c // </row>
const ROWS_END: u64 = 0x4474656568732f3c // </sheetD
const CELL: u64 = 0x223d7220633c // <c r="
const VALUE_END: u64 = 0x3e632f3c3e762f3c // </v></c>
const FORMULA_END: u64 = 0x3e763c3e662f3c // </f><v>
const INLINE_END: u64 = 0x73692f3c3e742f3c // </t></is
const INLINE_END_2: u64 = 0x3e632f3c3e73692f // /is></c>
const STRING: u64 = 0x743c3e69733c // <si><t
const STRING_END: u64 = 0x69732f3c3e742f3c // </t></si
const SIX_BYTES: u64 = 0xffff_ffff_ffff
const SEVEN_BYTES: u64 = 0xff_ffff_ffff_ffff
const QUOT: u32 = 0x746f7571
const APOS: u32 = 0x736f7061
const AMP: u32 = 0x3b706d61 // amp;
const LT: u32 = 0x3b746c // lt;
const GT: u32 = 0x3b7467 // gt;
const THREE_BYTES: u32 = 0xff_ffff

/** ZZ, counted from 1. */
const LAST_COLUMN_OF_TWO: u32 = 702
/** XFD: no sheet has more columns. */
const LAST_COLUMN: u32 = 16_383
const NO_STRING: u32 = 0xffffffff
/** Serial numbers of days in both calendars, after the day of 1900 that never was. */
const FIRST_SURE_DAY: u32 = 61
const LAST_SURE_DAY: u32 = 2_957_003

// What a cell holds.
const BLANK: u32 = 0
const SHARED: u32 = 1
const INLINE: u32 = 3
const NUMBER: u32 = 4
const DAY: u32 = 5

// What the host has stated of a column, as bits.
const NUMBERS_AS_WRITTEN: u32 = 1
const DAYS: u32 = 2
const ENTITIES: u32 = 4

/** The bytes between a cell's reference and its value. The host describes each when it is met first. */
@unmanaged
class Markup {
  length: u32
  holds: u32
  /** 1: a formula precedes the value; 2: its text does, too. */
  formula: u32
}
/** Behind it: its text, and a mask with 0xff for each byte of the text. */
const TEXT_OF_MARKUP: u32 = 16
const MASK_OF_MARKUP: u32 = 80
const MARKUP_SIZE: u32 = 144
const MOST_MARKUPS: u32 = 128

/** Each `Markup`, by its number; 0 is the absent cell. */
let markups: u32 = 0
let markupCount: u32 = 0
/** Of each column, and of all columns beyond: the markup of its last cell. */
let lastMarkups: u32 = 0
/** By column and row: the number of the markup, DOUBTFUL added; where the value begins, or its string. */
export let cellMarkups: u32 = 0
export let cellValues: u32 = 0
export const DOUBTFUL: u8 = 0x80
/** Of each row: its number, where it begins, and whether it has a doubtful cell or may be blank. */
export let rowNumbers: u32 = 0
export let rowStarts: u32 = 0
export let rowDoubts: u32 = 0
export let columnTraits: u32 = 0
/** The texts of all shared strings, and where each begins; how many there are, and may be. */
export let strings: u32 = 0
export let stringsEnd: u32 = 0
export let stringOffsets: u32 = 0
export let stringCount: u32 = 0
let mostStrings: u32 = 0
/** 0 in a kernel for CSV. */
export let mostRows: u32 = 0
let lastRow: u32 = 0
let longestCell: u32 = 0
/** The number of the day whose serial number is 0, which the host sets. */
export let dayZero: u32 = 0
/** Where `findRows` stopped: everything before is read. */
export let stopped: u32 = 0
/** Where a markup begins that the host has not described; 0 where it stopped for another reason. */
export let unknownMarkup: u32 = 0

/**
 * Called after `prepare`. At most `rows` are read at once, none beyond row `last`. Texts of more bytes than
 * `longest` are doubtful.
 */
export function prepareSheet(rows: u32, last: u32, longest: u32): void {
  mostRows = rows
  lastRow = last
  longestCell = longest
  markupCount = 1
  markups = at.allocate(MOST_MARKUPS * MARKUP_SIZE)
  // No markup is as that of the absent cell, which begins with a byte that UTF-8 never has.
  store<u8>(markups + TEXT_OF_MARKUP, 0xff)
  store<u8>(markups + MASK_OF_MARKUP, 0xff)
  lastMarkups = at.allocate((at.columns + 1) << 2)
  for (let index: u32 = 0; index <= at.columns; index++) store<u32>(lastMarkups + (index << 2), markups)
  cellMarkups = at.allocate(rows * at.columns)
  cellValues = at.allocate((rows * at.columns) << 2)
  rowNumbers = at.allocate(rows << 2)
  rowStarts = at.allocate((rows + 1) << 2)
  rowDoubts = at.allocate(rows)
  columnTraits = at.allocate(at.columns)
}

/** Called before `prepare`. Returns where there is room for the offsets, and then for the XML. */
export function prepareStrings(bytes: u32, most: u32): u32 {
  mostStrings = most
  stringOffsets = at.allocate((most << 2) + bytes)
  strings = stringOffsets + (most << 2)
  return stringOffsets
}

/**
 * Reads `<si><t>text</t></si>` items, and moves each text behind the one before: with `<` behind it, and NUL
 * behind that if it is empty. Returns where something else begins, or a text that is too long. No text is
 * moved up, and an item has at least 16 bytes beside it, so that its copy, 16 bytes at once, leaves the next
 * item alone.
 */
export function findStrings(from: u32, longest: u32): u32 {
  let item = strings + from
  let to = strings + stringsEnd
  while (stringCount < mostStrings && (load<u64>(item) & SIX_BYTES) == STRING) {
    const text = load<u8>(item, 6) == at.SPACE ? endOfTag(item + 6) : item + 7
    if (text == 0 || load<u8>(text - 1) != GREATER_THAN) break
    const end = nextTag(text)
    const size = end - text
    if (size >= longest || load<u64>(end) != STRING_END || load<u8>(end, 8) != GREATER_THAN) break
    store<u32>(stringOffsets + (stringCount++ << 2), to - strings)
    for (let done: u32 = 0; done < size; done += at.VECTOR) v128.store(to + done, v128.load(text + done))
    store<u16>(to + size, LESS_THAN)
    to += max<u32>(size, 1) + 1
    item = end + 9
  }
  stringsEnd = to - strings
  return item - strings
}

/** Describes the unknown markup, of `size` bytes. */
export function addMarkup(size: u32, holds: u32, formula: u32): void {
  const markup = markups + markupCount++ * MARKUP_SIZE
  memory.copy(markup + TEXT_OF_MARKUP, unknownMarkup, size)
  memory.fill(markup + MASK_OF_MARKUP, 0xff, size)
  const described = changetype<Markup>(markup)
  described.length = size
  described.holds = holds
  described.formula = formula
}

// Of the row that is being read: its number, its digits and the quote behind them as bytes, and their mask.
let number: u32 = 0
let digits: u64 = 0
let digitCount: u32 = 0
let digitMask: u64 = 0

/** The number of at most `most` digits that begins there, `digitCount` of them. */
function readDigits(from: u32, most: u32): u32 {
  let value: u32 = 0
  let place = from
  for (; place < from + most; place++) {
    const digit = <u32>load<u8>(place) - ZERO
    if (digit > 9) break
    value = value * 10 + digit
  }
  digitCount = place - from
  return value
}

/** Reads `<row r="…"` and returns the row's number; 0 if something else is there. */
function readRowNumber(place: u32): u32 {
  const first = place + 8
  const row = readDigits(first, 7)
  digitMask = ~(<u64>0) >> ((7 - digitCount) << 3)
  digits = load<u64>(first) & digitMask
  const isNumber = <u32>load<u8>(first + digitCount) == at.QUOTE && <u32>load<u8>(first) != ZERO
  return load<u64>(place) == ROW && isNumber ? row : 0
}

/** Where an opening tag ends, behind its `>`; 0 where it is written in another way, or is empty (`/>`). */
function endOfTag(from: u32): u32 {
  let quotes: u32 = 0
  let place = from
  while (true) {
    const bytes = v128.load(place)
    const ends = i8x16.bitmask(i8x16.eq(bytes, v128.load8_splat(BYTES, 5)))
    const before = (ends & -ends) - 1
    const apostrophes = i8x16.eq(bytes, v128.load8_splat(BYTES, 6))
    if (i8x16.bitmask(v128.or(apostrophes, i8x16.eq(bytes, v128.load8_splat(BYTES)))) & before) return 0
    quotes += popcnt(i8x16.bitmask(i8x16.eq(bytes, v128.load8_splat(BYTES, 7))) & before)
    place += ends == 0 ? at.VECTOR : ctz(ends) + 1
    if (ends != 0) return quotes & 1 || load<u8>(place - 2) == SLASH ? 0 : place
  }
}

function skipSpace(from: u32): u32 {
  let place = from
  while (load<u8>(place) <= at.SPACE) place++
  return place
}

/** Where the next `<` is. */
function nextTag(from: u32): u32 {
  let place = from
  while (true) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(place), v128.load8_splat(BYTES)))
    if (found != 0) return place + ctz(found)
    place += at.VECTOR
  }
}

function hasMarkup(place: u32, markup: u32): bool {
  let offset: u32 = 0
  do {
    const others = v128.xor(v128.load(place + offset), v128.load(markup + offset, TEXT_OF_MARKUP))
    if (v128.any_true(v128.and(others, v128.load(markup + offset, MASK_OF_MARKUP)))) return false
    offset += at.VECTOR
  } while (offset < changetype<Markup>(markup).length)
  return true
}

/** The markup of a cell, behind its reference; 0 if it is none that the host has described. */
function findMarkup(place: u32, column: u32): u32 {
  const last = lastMarkups + (column << 2)
  let markup = load<u32>(last)
  if (hasMarkup(place, markup)) return markup
  for (let index: u32 = 1; index < markupCount; index++) {
    markup = markups + index * MARKUP_SIZE
    if (!hasMarkup(place, markup)) continue
    store<u32>(last, markup)
    return markup
  }
  unknownMarkup = place
  return 0
}

/** Where a cell ends whose value begins at `from`; 0 if it is written in another way. */
function endOfCell(holds: u32, from: u32): u32 {
  if (holds == BLANK) return from
  // An index was read last.
  const end = holds == SHARED ? from + digitCount : nextTag(from)
  if (holds != INLINE) return load<u64>(end) == VALUE_END ? end + 8 : 0
  return load<u64>(end) == INLINE_END && load<u64>(end + 5) == INLINE_END_2 ? end + 13 : 0
}

/** A whole number of at most nine digits; else one larger than each of them. */
function readInteger(from: u32): u32 {
  const value = readDigits(from, 9)
  return digitCount > 0 && load<u8>(from + digitCount) == LESS_THAN ? value : NO_STRING
}

/** Reads the cells of a row. Returns where the row ends; 0 if a cell is written in another way. */
function findCells(row: u32, from: u32): u32 {
  const columns = at.columns
  const mask = digitMask
  const restOfReference = digitCount + 1
  for (let index: u32 = 0; index < columns; index++) store<u8>(cellMarkups + index * mostRows + row, 0)
  let isBlank: u8 = 1
  let nextColumn: u32 = 0
  let place = skipSpace(from)
  while ((load<u64>(place) & SIX_BYTES) == CELL) {
    let column = <u32>load<u8>(place, 6) - UPPER_A
    if (column >= 26) return 0
    for (place += 7; column < LAST_COLUMN_OF_TWO; place++) {
      const letter = <u32>load<u8>(place) - UPPER_A
      if (letter >= 26) break
      column = (column + 1) * 26 + letter
    }
    if ((load<u64>(place) & mask) != digits || column < nextColumn || column > LAST_COLUMN) return 0
    nextColumn = column + 1
    place += restOfReference
    const markup = findMarkup(place, min(column, columns))
    if (markup == 0) return 0
    const holds = changetype<Markup>(markup).holds
    const formula = changetype<Markup>(markup).formula
    place += changetype<Markup>(markup).length
    if (formula > 1) {
      place = nextTag(place)
      if ((load<u64>(place) & SEVEN_BYTES) != FORMULA_END) return 0
      place += 7
    }
    const value = holds == SHARED ? readInteger(place) : place
    const end = endOfCell(holds, place)
    if (end == 0) return 0
    if (holds != BLANK && load<u8>(place) != LESS_THAN) {
      if (column >= columns || (holds == SHARED && value >= stringCount)) return 0
      const cell = column * mostRows + row
      store<u8>(cellMarkups + cell, <u8>((markup - markups) / MARKUP_SIZE))
      store<u32>(cellValues + (cell << 2), value)
      isBlank = 0
    } else if (formula != 0) return 0 // It has no result.
    place = skipSpace(end)
  }
  store<u8>(rowDoubts + row, isBlank)
  return (load<u64>(place) & SIX_BYTES) == ROW_END ? place + 6 : 0
}

/**
 * Finds the rows from `from` on that are written as programs do, up to the first other one. Returns how many.
 * A row counts only if the rows before it (`rowBefore` at first) and after it have other numbers, or none
 * follows. Sentinels follow the data, so no tag is whole there.
 */
export function findRows(from: u32, rowBefore: u32): u32 {
  let before = rowBefore
  let rows: u32 = 0
  let start = skipSpace(from)
  unknownMarkup = 0
  number = readRowNumber(start)
  store<u32>(rowStarts, start)
  while (rows < mostRows && number != 0 && number != before && number <= lastRow) {
    const cells = endOfTag(start + 8 + digitCount + 1)
    const next = cells == 0 ? 0 : findCells(rows, cells)
    if (next == 0) break
    before = number
    start = skipSpace(next)
    number = readRowNumber(start)
    if (number == before || (number == 0 && load<u64>(start) != ROWS_END)) break
    store<u32>(rowNumbers + (rows << 2), before)
    store<u32>(rowStarts + (++rows << 2), start)
  }
  stopped = load<u32>(rowStarts + (rows << 2))
  return rows
}

/** Whether one of the five entities of XML has its name there. */
function isEntity(place: u32): bool {
  const name = load<u32>(place)
  if (name == QUOT || name == APOS) return load<u8>(place, 4) == SEMICOLON
  return name == AMP || (name & THREE_BYTES) == LT || (name & THREE_BYTES) == GT
}

/** Whether the text that `endOfText` read last has an entity. */
let hasEntity = false

/** Where a text ends; 0 if it is long, or has what the reference reads otherwise than it is written. */
function endOfText(from: u32): u32 {
  hasEntity = false
  let place = from
  while (true) {
    const bytes = v128.load(place)
    const end = i8x16.bitmask(i8x16.eq(bytes, v128.load8_splat(BYTES)))
    const marks = v128.or(
      i8x16.eq(bytes, v128.load8_splat(BYTES, 1)),
      i8x16.eq(bytes, v128.load8_splat(BYTES, 2)),
    )
    const others = v128.or(
      i8x16.eq(bytes, v128.load8_splat(BYTES, 3)),
      i8x16.eq(bytes, v128.load8_splat(BYTES, 4)),
    )
    for (let bits = i8x16.bitmask(v128.or(marks, others)) & ((end & -end) - 1); bits; bits &= bits - 1) {
      const byte = place + ctz(bits)
      if (load<u8>(byte) == AMPERSAND && isEntity(byte + 1)) hasEntity = true
      else if (load<u8>(byte) != UNDERSCORE || load<u8>(byte, 1) == LOWER_X) return 0
    }
    if (end != 0) return place + ctz(end) - from > longestCell ? 0 : place + ctz(end)
    place += at.VECTOR
  }
}

/** Whether a number is written as a spreadsheet shows it; see `numberText` of the engine. */
function isShown(start: u32, end: u32): bool {
  const first = start + <u32>(load<u8>(start) == MINUS)
  let point = end
  for (let place = first; place < end; place++) {
    const byte = <u32>load<u8>(place)
    if (byte == POINT && point == end) point = place
    else if (byte - ZERO > 9) return false
  }
  const isZero = load<u8>(first) == ZERO
  const whole = point - first
  if (whole == 0 || (whole > 1 && isZero) || end - first - <u32>(point < end) > 15) return false
  return point == end ? first == start || !isZero : point + 1 < end && load<u8>(end - 1) != ZERO
}

function startOfText(holds: u32, value: u32): u32 {
  return holds == SHARED ? strings + load<u32>(stringOffsets + (value << 2)) : value
}

/** A class, because only methods can be declared inline in the syntax of TypeScript. */
class Cells {
  @inline
  static isSure<C extends Column>(described: C, traits: u32, holds: u32, value: u32): bool {
    if (holds == NUMBER) {
      const end = nextTag(value)
      const isWritten = (traits & NUMBERS_AS_WRITTEN) != 0 || isShown(value, end)
      return isWritten && described.accepts(value, end, false)
    }
    if (holds == DAY) {
      const serial = readInteger(value)
      return (traits & DAYS) != 0 && serial >= FIRST_SURE_DAY && serial <= LAST_SURE_DAY
    }
    if (holds > INLINE) return false
    const start = startOfText(holds, value)
    const end = endOfText(start)
    return end > start && (!hasEntity || (traits & ENTITIES) != 0) && described.accepts(start, end, false)
  }
}

/** As `checkColumn` of `kernel.ts`, of rows that `findRows` has found. */
export function checkCells<C extends Column>(index: u32, rows: u32): void {
  const described = changetype<C>(at.descriptors + index * at.COLUMN_SIZE)
  const traits = <u32>load<u8>(columnTraits + index)
  const first = index * mostRows
  for (let row: u32 = 0; row < rows; row++) {
    const place = cellMarkups + first + row
    const id = load<u8>(place)
    const holds = changetype<Markup>(markups + <u32>id * MARKUP_SIZE).holds
    const value = load<u32>(cellValues + ((first + row) << 2))
    if (holds == BLANK ? !described.required : Cells.isSure(described, traits, holds, value)) continue
    store<u8>(place, id | DOUBTFUL)
    store<u8>(rowDoubts + row, 1)
  }
}

/** Where the text that `findText` found last ends, or the number of the day that it found. */
export let textEnd: u32 = 0

/** In place of where a text begins. */
export const A_DAY: u32 = 1

/** Where the text of a doubtful cell begins that `findPlainText` has found. */
export let textStart: u32 = 0

/** Whether the bytes of a doubtful cell `[textStart, textEnd)` are its text. */
export function findPlainText(column: u32, row: u32): bool {
  const cell = column * mostRows + row
  const id = <u32>load<u8>(cellMarkups + cell) & ~(<u32>DOUBTFUL)
  const holds = changetype<Markup>(markups + id * MARKUP_SIZE).holds
  if (holds == BLANK || holds > NUMBER) return false
  textStart = startOfText(holds, load<u32>(cellValues + (cell << 2)))
  textEnd = holds == NUMBER ? nextTag(textStart) : endOfText(textStart)
  if (holds == NUMBER) return isShown(textStart, textEnd)
  return textEnd > textStart && !hasEntity && load<u8>(textStart) != at.QUOTE
}

/** Where the text of a surely valid cell begins; 0 where the cell is blank. */
export function findText(column: u32, row: u32): u32 {
  const cell = column * mostRows + row
  const holds = changetype<Markup>(markups + <u32>load<u8>(cellMarkups + cell) * MARKUP_SIZE).holds
  if (holds == BLANK) return (textEnd = 0)
  const start = startOfText(holds, load<u32>(cellValues + (cell << 2)))
  textEnd = holds == DAY ? dayZero + readInteger(start) : nextTag(start)
  return holds == DAY ? A_DAY : start
}
