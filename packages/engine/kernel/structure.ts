// The first pass: where the cells of a chunk begin and end.

import * as at from './memory'

/** Bytes in one step: a bit of a word stands for each of them. */
const STEP: u32 = 64

/** In memory, since V8 makes a constant vector anew in every turn of a loop. */
const BYTES = memory.data<u8>([0x0a, 0x22, 0x0d, 0x00, 0xef])

/** Bits of the 64 bytes in four vectors: 1 where a byte is `wanted`. */
function bitsOf(a: v128, b: v128, c: v128, d: v128, wanted: v128): u64 {
  return (
    <u64>(<u32>i8x16.bitmask(i8x16.eq(a, wanted))) |
    ((<u64>(<u32>i8x16.bitmask(i8x16.eq(b, wanted)))) << 16) |
    ((<u64>(<u32>i8x16.bitmask(i8x16.eq(c, wanted)))) << 32) |
    ((<u64>(<u32>i8x16.bitmask(i8x16.eq(d, wanted)))) << 48)
  )
}

/** 1 in each bit after an odd number of bits, itself included: from an opening quote up to a closing one. */
function insideOf(quotes: u64): u64 {
  let inside = quotes ^ (quotes << 1)
  inside ^= inside << 2
  inside ^= inside << 4
  inside ^= inside << 8
  inside ^= inside << 16
  return inside ^ (inside << 32)
}

/** Of bytes that are NUL or begin like U+FFFD: those that no file may hold. */
function forbidden(bits: u64, from: u32): u64 {
  let found: u64 = 0
  for (; bits; bits &= bits - 1) {
    const place = from + <u32>ctz(bits)
    const isLost = load<u8>(place, 1) == 0xbf && load<u8>(place, 2) == 0xbd
    if (load<u8>(place) == 0 || isLost) found |= bits & -bits
  }
  return found
}

class Places {
  /** Writes those of the first four bits, and returns the others. */
  @inline
  static writeFour(to: u32, step: u32, bits: u64): u64 {
    store<u32>(to, step + <u32>ctz(bits))
    bits &= bits - 1
    store<u32>(to, step + <u32>ctz(bits), 4)
    bits &= bits - 1
    store<u32>(to, step + <u32>ctz(bits), 8)
    bits &= bits - 1
    store<u32>(to, step + <u32>ctz(bits), 12)
    return bits & (bits - 1)
  }
}

/**
 * Finds the delimiters and line ends from the record at `from` on, and returns the number of records. Stops
 * at the first byte that only the reference can read: a quote inside a cell, a byte behind a closing quote, a
 * CR without LF, NUL, U+FFFD. Everything before the record with that byte is right.
 */
export function findStructure(from: u32, end: u32): u32 {
  const delimiters = i8x16.splat(<i8>at.delimiter)
  const lineFeeds = v128.load8_splat(BYTES)
  const quoteBytes = v128.load8_splat(BYTES, 1)
  const returns = v128.load8_splat(BYTES, 2)
  const nuls = v128.load8_splat(BYTES, 3)
  const lostLeads = v128.load8_splat(BYTES, 4)
  const positions = at.positions
  let position = positions
  let recordEnd = at.recordEnds
  /** All ones if the step before ended inside of quotes. */
  let insideBefore: u64 = 0
  // Bit 0: whether the last byte of the step before is one that a quote may follow; a closing quote; a CR.
  let mayOpen: u64 = 1
  let closedBefore: u64 = 0
  let returnBefore: u64 = 0
  store<u32>(positions - 4, from - 1)
  for (let step = from; step < end; step += STEP) {
    const a = v128.load(step)
    const b = v128.load(step, at.VECTOR)
    const c = v128.load(step, 2 * at.VECTOR)
    const d = v128.load(step, 3 * at.VECTOR)
    const live: u64 = step + STEP > end ? ((<u64>1) << (end - step)) - 1 : ~(<u64>0)
    let lines = bitsOf(a, b, c, d, lineFeeds) & live
    let ends = lines | (bitsOf(a, b, c, d, delimiters) & live)
    const quotes = bitsOf(a, b, c, d, quoteBytes) & live
    let crs: u64 = 0
    let irregular: u64 = 0
    const rareA = v128.or(i8x16.eq(a, returns), v128.or(i8x16.eq(a, nuls), i8x16.eq(a, lostLeads)))
    const rareB = v128.or(i8x16.eq(b, returns), v128.or(i8x16.eq(b, nuls), i8x16.eq(b, lostLeads)))
    const rareC = v128.or(i8x16.eq(c, returns), v128.or(i8x16.eq(c, nuls), i8x16.eq(c, lostLeads)))
    const rareD = v128.or(i8x16.eq(d, returns), v128.or(i8x16.eq(d, nuls), i8x16.eq(d, lostLeads)))
    if (v128.any_true(v128.or(v128.or(rareA, rareB), v128.or(rareC, rareD)))) {
      crs = bitsOf(a, b, c, d, returns) & live
      irregular = forbidden((bitsOf(a, b, c, d, nuls) | bitsOf(a, b, c, d, lostLeads)) & live, step)
    }
    if (quotes | insideBefore | closedBefore) {
      const inside = insideOf(quotes) ^ insideBefore
      const opening = quotes & inside
      const closing = quotes & ~inside
      const afterClosing = ((closing << 1) | closedBefore) & live
      irregular |= afterClosing & ~(ends | quotes | crs)
      lines &= ~inside
      ends &= ~inside
      crs &= ~inside
      irregular |= opening & ~(((ends | closing) << 1) | mayOpen)
      mayOpen = (ends | closing) >> 63
      closedBefore = closing >> 63
      insideBefore = <u64>(<i64>inside >> 63)
    } else mayOpen = ends >> 63
    irregular |= ((crs << 1) | returnBefore) & ~lines & live
    returnBefore = crs >> 63
    if (irregular) {
      const before = (irregular & -irregular) - 1
      lines &= before
      ends &= before
    }
    const known = <u32>((position - positions) >> 2)
    // The first one without a branch.
    store<u32>(recordEnd, known + <u32>popcnt(ends & (lines ^ (lines - 1))))
    recordEnd += (<u32>(lines != 0)) << 2
    for (lines &= lines - <u64>(lines != 0); lines; lines &= lines - 1) {
      store<u32>(recordEnd, known + <u32>popcnt(ends & (lines ^ (lines - 1))))
      recordEnd += 4
    }
    let next = position
    position += (<u32>popcnt(ends)) << 2
    // At least eight, without a branch for each: what is too much is written over.
    ends = Places.writeFour(next, step, ends)
    ends = Places.writeFour(next + 16, step, ends)
    for (next += 32; next < position; next += 16) ends = Places.writeFour(next, step, ends)
    if (irregular) break
  }
  return (recordEnd - at.recordEnds) >> 2
}

/** Lists regular records: one cell for each column, surely not blank, not long. Returns how many. */
export function findRegular(records: u32): u32 {
  const positions = at.positions
  const recordEnds = at.recordEnds
  const firstEnds = at.firstEnds
  const columns = at.columns
  const longestRecord = at.longestRecord
  let regular: u32 = 0
  let first: u32 = 0
  for (let record: u32 = 0; record < records; record++) {
    const next = load<u32>(recordEnds + (record << 2))
    const start = load<u32>(positions + (first << 2) - 4) + 1
    const length = load<u32>(positions + (next << 2) - 4) - start
    store<u32>(firstEnds + (regular << 2), first)
    // With a byte more than its delimiters and a CR, it has a cell that is not empty.
    regular += <u32>(next - first == columns) & <u32>(length > columns) & <u32>(length <= longestRecord)
    first = next
  }
  return regular
}
