// The kernel says which cells of a chunk of CSV, or of rows of a worksheet, are surely valid, and which of
// the others surely have the same fault. See docs/KERNEL.md.

import * as kinds from './columns'
import * as at from './memory'
import { hasRules, mayFind } from './rules'
import { cellMarkups, checkCells, DOUBTFUL, findPlainText, findRows, mostRows } from './sheet'
import { rowDoubts, textEnd, textStart } from './sheet'
import { findRegular, findStructure } from './structure'

export { hashKeys } from './keys'
export { addFilter, addRuleColumn, addText, describeRules, hasRules } from './rules'
export * from './sheet'
export { findValue } from './values'
export { allocate, data, descriptors, doubtful, keyColumns, keyHashes, positions } from './memory'
export { prepare, recordEnds } from './memory'

/** As many characters become one at most, if they are composed (`MOST_COMPOSED` of the engine). */
const MOST_COMPOSED: u32 = 4
const MOST_BYTES: u32 = 4

/** The column must be one of the class `C`. */
function columnAs<C extends kinds.Column>(column: u32): C {
  return changetype<C>(at.descriptors + column * at.COLUMN_SIZE)
}

function describe<C extends kinds.Column>(column: u32, kind: u32): C {
  const described = columnAs<C>(column)
  described.kind = kind
  return described
}

/** `classed`: `check` of the column asks its rule about each text that is not blank. */
export function markColumn(column: u32, required: u32, classed: u32): void {
  columnAs<kinds.Column>(column).required = required
  columnAs<kinds.Column>(column).classed = classed
}

export function copyColumn(from: u32, to: u32): void {
  memory.copy(at.descriptors + to * at.COLUMN_SIZE, at.descriptors + from * at.COLUMN_SIZE, at.COLUMN_SIZE)
}

export function describeText(column: u32, minimum: u32, maximum: u32): void {
  const text = describe<kinds.TextColumn>(column, kinds.TEXT)
  text.minimum = minimum
  text.maximum = maximum
  // Any text that is not blank has a character.
  text.enoughCharacters = minimum <= 1 ? 0 : minimum * MOST_COMPOSED
  text.enough = text.enoughCharacters * MOST_BYTES
}

export function describeNumber(column: u32, mostDecimals: u32, sureDigits: u32, min: f64, max: f64): void {
  const number = describe<kinds.NumberColumn>(column, kinds.NUMBER)
  number.mostDecimals = mostDecimals
  number.sureDigits = sureDigits
  number.lowest = min
  number.highest = max
}

/** Returns where the host must write `order`, `least` and `most` of a `DateColumn`. */
export function describeDate(column: u32): u32 {
  return changetype<u32>(describe<kinds.DateColumn>(column, kinds.DATE)) + offsetof<kinds.DateColumn>('order')
}

/** Returns where the host must write the fields of an `AutomatonColumn` up to `mostDigits`. */
export function describeAutomaton(column: u32): u32 {
  const described = describe<kinds.AutomatonColumn>(column, kinds.AUTOMATON)
  return changetype<u32>(described) + offsetof<kinds.AutomatonColumn>('start')
}

/** To be called after the host has written them, and the tables. */
export function findRanges(column: u32): void {
  columnAs<kinds.AutomatonColumn>(column).findAllRanges()
}

/** A list with at most so many options, which `addOption` adds. */
export function describeList(column: u32, mostOptions: u32): void {
  describe<kinds.ListColumn>(column, kinds.LIST).prepare(mostOptions)
}

/** Adds the option that the host has written to the first `size` bytes of `data`. */
export function addOption(column: u32, size: u32): void {
  columnAs<kinds.ListColumn>(column).add(at.data, size)
}

/** Checks the cells of one column, and notes those that are doubtful. */
function checkColumn<C extends kinds.Column>(column: u32, regular: u32, areRows: bool): void {
  if (areRows) return checkCells<C>(column, regular)
  const described = columnAs<C>(column)
  const required = described.required
  const isLast = column == at.columns - 1
  const firstsEnd = at.firstEnds + (regular << 2)
  const ends = at.positions + (column << 2)
  const wordsSize = at.wordsPerRecord << 2
  const bit: u32 = 1 << (column & 31)
  let word = at.doubts + ((column >> 5) << 2)
  for (let first = at.firstEnds; first < firstsEnd; first += 4, word += wordsSize) {
    const place = ends + (load<u32>(first) << 2)
    let start = load<u32>(place - 4) + 1
    let end = load<u32>(place)
    if (isLast) end -= <u32>(load<u8>(end - 1) == at.CARRIAGE_RETURN)
    let isSure: bool = !required
    if (start != end) {
      const isQuoted = load<u8>(start) == at.QUOTE
      start += <u32>isQuoted
      end -= <u32>isQuoted
      isSure = start != end && described.accepts(start, end, isQuoted)
    }
    if (!isSure) store<u32>(word, load<u32>(word) | bit)
  }
}

/** The class of a doubtful cell. */
function classOf(column: u32, start: u32, end: u32): u32 {
  const described = columnAs<kinds.Column>(column)
  const isQuoted = <u32>(load<u8>(start) == at.QUOTE)
  const from = start + isQuoted
  const to = end - isQuoted
  if (!described.classed) return kinds.NO_CLASS
  if (from >= to) return start == end ? kinds.EMPTY : kinds.NO_CLASS
  if (described.kind == kinds.NUMBER) return columnAs<kinds.NumberColumn>(column).classOf(from, to)
  if (described.kind == kinds.AUTOMATON) return columnAs<kinds.AutomatonColumn>(column).classOf(from, to)
  return described.kind == kinds.DATE ? columnAs<kinds.DateColumn>(column).classOf(from, to) : kinds.NO_CLASS
}

/** In place of how many cells are doubtful: the record is not regular. */
const WHOLE_RECORD: u32 = 0xffffffff

/** Where the list of doubtful records or rows ends. */
export let doubtfulEnd: u32 = 0

function list(number: u32, start: u32, end: u32, last: u32): void {
  store<u32>(doubtfulEnd, number)
  store<u32>(doubtfulEnd, start, 4)
  store<u32>(doubtfulEnd, end, 8)
  store<u32>(doubtfulEnd, last, 12)
  doubtfulEnd += at.LISTED_SIZE
}

/** Lists the doubtful cells of a regular record, whose bits and ends begin there. Returns their number. */
function listCells(doubts: u32, ends: u32): u32 {
  const first = doubtfulEnd
  for (let word: u32 = 0; word < at.wordsPerRecord; word++) {
    for (let bits = load<u32>(doubts + (word << 2)); bits; bits &= bits - 1) {
      const column = (word << 5) + ctz(bits)
      const place = ends + (column << 2)
      const start = load<u32>(place - 4) + 1
      let end = load<u32>(place)
      if (column == at.columns - 1) end -= <u32>(load<u8>(end - 1) == at.CARRIAGE_RETURN)
      list(column, start - at.data, end - at.data, classOf(column, start, end))
    }
  }
  return (doubtfulEnd - first) / at.LISTED_SIZE
}

/** Lists records that are not regular, have a doubtful cell, or may break a rule. Returns how many. */
function listDoubtful(records: u32, regular: u32): u32 {
  const words = at.wordsPerRecord
  let count: u32 = 0
  let first: u32 = 0
  let known: u32 = 0
  const areRules = hasRules()
  doubtfulEnd = at.doubtful
  for (let record: u32 = 0; record < records; record++) {
    const isRegular = known < regular && load<u32>(at.firstEnds + (known << 2)) == first
    let isDoubtful: u32 = <u32>!isRegular
    const doubts = at.doubts + ((known * words) << 2)
    const next = load<u32>(at.recordEnds + (record << 2))
    if (isRegular) for (let word: u32 = 0; word < words; word++) isDoubtful |= load<u32>(doubts + (word << 2))
    if (isDoubtful || (areRules && mayFind(known))) {
      const ends = at.positions + (first << 2)
      const listed = doubtfulEnd
      const start = load<u32>(ends - 4) + 1
      const stop = load<u32>(at.positions + (next << 2) - 4) + 1
      list(record, start - at.data, stop - at.data, WHOLE_RECORD)
      if (isRegular) store<u32>(listed, listCells(doubts, ends), 12)
      count++
    }
    known += <u32>isRegular
    first = next
  }
  return count
}

/**
 * Moves the records that `check` has listed to the byte `from` of the chunk, where it began, one after the
 * other, and changes the list as if `rows` records and `size` bytes were before them. Returns their end.
 */
export function gather(from: u32, rows: u32, size: u32): u32 {
  let to = at.data + from
  for (let listed = at.doubtful; listed < doubtfulEnd;) {
    const start = load<u32>(listed, 4)
    const length = load<u32>(listed, 8) - start
    const cells = load<u32>(listed, 12)
    const next = listed + at.LISTED_SIZE * (cells == WHOLE_RECORD ? 1 : cells + 1)
    store<u32>(listed, load<u32>(listed) + rows)
    for (; listed < next; listed += at.LISTED_SIZE) {
      store<u32>(listed, load<u32>(listed, 4) - start + size, 4)
      store<u32>(listed, load<u32>(listed, 8) - start + size, 8)
    }
    memory.copy(to, at.data + start, length)
    to += length
    size += length
  }
  return to - at.data
}

/** Checks the cells of all columns in `count` regular records, or in rows of a worksheet. */
function checkColumns(count: u32, areRows: bool): void {
  for (let column: u32 = 0; column < at.columns; column++) {
    const kind = columnAs<kinds.Column>(column).kind
    if (kind == kinds.TEXT) checkColumn<kinds.TextColumn>(column, count, areRows)
    else if (kind == kinds.NUMBER) checkColumn<kinds.NumberColumn>(column, count, areRows)
    else if (kind == kinds.DATE) checkColumn<kinds.DateColumn>(column, count, areRows)
    else if (kind == kinds.AUTOMATON) checkColumn<kinds.AutomatonColumn>(column, count, areRows)
    else if (kind == kinds.LIST) checkColumn<kinds.ListColumn>(column, count, areRows)
    else checkColumn<kinds.UnknownColumn>(column, count, areRows)
  }
}

/** Checks whole records from `from` to the first that only the reference can read. Returns how many. */
export function check(from: u32, end: u32): u32 {
  const records = findStructure(from, end)
  const regular = findRegular(records)
  memory.fill(at.doubts, 0, (regular * at.wordsPerRecord) << 2)
  checkColumns(regular, false)
  doubtfulCount = listDoubtful(records, regular)
  return records
}

/** Lists a row of a worksheet and its doubtful cells: see `doubtful`. */
function listRow(row: u32): void {
  const listed = doubtfulEnd
  list(row, 0, 0, 0)
  let sure: u32 = 0
  let filled: u8 = 0
  for (let column: u32 = 0; column < at.columns; column++) {
    const id = load<u8>(cellMarkups + column * mostRows + row)
    filled |= id & ~DOUBTFUL
    if ((id & DOUBTFUL) == 0) sure += <u32>(id != 0)
    else if (findPlainText(column, row)) list(column, textStart, 0, classOf(column, textStart, textEnd))
    else list(column, 0, 0, kinds.NO_CLASS)
  }
  // A blank row is no error. Thousands of required columns would be listed for each.
  if (filled == 0) doubtfulEnd = listed + at.LISTED_SIZE
  store<u32>(listed, sure, 4)
  store<u32>(listed, (doubtfulEnd - listed) / at.LISTED_SIZE - 1, 12)
}

/** Checks the rows that `findRows` finds, and lists the doubtful ones. Returns how many rows it found. */
export function checkRows(from: u32, rowBefore: u32): u32 {
  const rows = findRows(from, rowBefore)
  checkColumns(rows, true)
  const areRules = hasRules()
  doubtfulEnd = at.doubtful
  for (let row: u32 = 0; row < rows; row++)
    if (load<u8>(rowDoubts + row) || (areRules && mayFind(row))) listRow(row)
  return rows
}

/** How many records `check` has listed in `doubtful`. */
export let doubtfulCount: u32 = 0
