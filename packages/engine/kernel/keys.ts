// Hashes of the values of keys (`KeyValue` of the engine), of records or rows whose cells are surely valid.

import { DATE, DateColumn, MINUS, NUMBER, PLUS, POINT, ZERO } from './columns'
import * as at from './memory'
import { A_DAY, findText, mostRows, textEnd } from './sheet'

const BLANK: u32 = 0
const FILLED: u32 = 1
const NEGATIVE: u32 = 2

const WORD: u32 = 4

/** What `readCell` has read: the bytes that all equal values have, and their kind. */
let start: u32 = 0
let end: u32 = 0
let kind: u32 = 0

function readCell(record: u32, column: u32): void {
  const described = at.descriptors + column * at.COLUMN_SIZE
  const type = load<u32>(described)
  if (mostRows != 0) {
    start = findText(column, record)
    end = textEnd
  } else findCell(record, column)
  kind = start == end ? BLANK : FILLED
  if (kind == BLANK) return
  // A serial day of a worksheet has no text: `end` is its number.
  if (start == A_DAY) setDay(end)
  else if (type == DATE) setDay(<u32>changetype<DateColumn>(described).dayOf(start))
  else if (type == NUMBER) trimNumber()
}

function findCell(record: u32, column: u32): void {
  const first = record == 0 ? 0 : load<u32>(at.recordEnds + (record << 2) - 4)
  const place = at.positions + ((first + column) << 2)
  start = load<u32>(place - 4) + 1
  end = load<u32>(place)
  if (column == at.columns - 1) end -= <u32>(load<u8>(end - 1) == at.CARRIAGE_RETURN)
  if (start != end && load<u8>(start) == at.QUOTE) unquote()
}

function setDay(day: u32): void {
  store<u32>(at.ownValue, day)
  start = at.ownValue
  end = start + WORD
}

/** Copies the text with each quote once: in the file, it is written twice. */
function unquote(): void {
  let to = at.ownValue
  for (let place = start + 1; place < end - 1; place++) {
    const byte = load<u8>(place)
    store<u8>(to++, byte)
    place += <u32>(byte == at.QUOTE)
  }
  start = at.ownValue
  end = to
}

/** Without what does not matter: a plus, zeros at the ends, the sign of zero. */
function trimNumber(): void {
  const sign = <u32>load<u8>(start)
  start += <u32>(sign == MINUS || sign == PLUS)
  let point = start
  while (point < end && <u32>load<u8>(point) != POINT) point++
  if (point < end) {
    while (<u32>load<u8>(end - 1) == ZERO) end--
    end -= <u32>(end - 1 == point)
  }
  while (start < end && <u32>load<u8>(start) == ZERO) start++
  if (sign == MINUS && start < end) kind = NEGATIVE
}

function finished(hash: u32): u32 {
  let mixed = (hash ^ (hash >> 16)) * 0x85ebca6b
  mixed = (mixed ^ (mixed >> 13)) * 0xc2b2ae35
  return mixed ^ (mixed >> 16)
}

/**
 * Writes to `keyHashes` the hash of each of the records `[from, to)` that has a value, the low half first,
 * and returns how many. `keyColumns` has the `count` columns of the key.
 */
export function hashKeys(count: u32, from: u32, to: u32, seed: u32, one: u32, other: u32, bits: u32): u32 {
  let next = at.keyHashes
  for (let record = from; record < to; record++) {
    let low = seed
    let high = ~seed
    let kinds: u32 = 0
    for (let index: u32 = 0; index < count; index++) {
      readCell(record, load<u32>(at.keyColumns + (index << 2)))
      kinds |= kind
      // First the size and the kind, then words of the bytes, with zeros behind them.
      let word = (end - start) * 4 + kind
      for (let place = start; ; place += WORD) {
        low = (low ^ word) * one
        low ^= low >> 15
        high = (high ^ rotl<u32>(word, 13)) * other + low
        high ^= high >> 13
        if (place >= end) break
        word = load<u32>(place)
        const left = end - place
        if (left < WORD) word &= (1 << (left << 3)) - 1
      }
    }
    high = finished(high)
    low = finished(low ^ high) & bits
    store<u32>(next, low == 0 ? 1 : low)
    store<u32>(next, high & bits, 4)
    next += (<u32>(kinds != BLANK)) << 3
  }
  return (next - at.keyHashes) >> 3
}
