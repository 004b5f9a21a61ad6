// Which records surely meet all rules between cells: `RuleFilter` of the engine, over bytes. A number made of
// the cells of a record puts it into one of a few groups, and each group has sets of rules, as bits.

import { DATE, DateColumn, LONGEST_OPTION, ListColumn, mayCompose, NUMBER, numberOf } from './columns'
import * as at from './memory'
import { A_DAY, findText, mostRows, textEnd } from './sheet'

// What the number of a filter is: the value of a cell, how much more one has than another, or how many are
// filled.
const DIFFERENCE: u32 = 1
const FILLED: u32 = 2

const BLANK: f64 = -Infinity
/** The value of a text that rules do not name. */
const OTHER: f64 = -1
const BLANK_CODE: u32 = 0xffffffff
/** Fewer are compared one by one. */
const FEW_POINTS: u32 = 16

/** A column that rules read, and the texts that they name or that count as blank. */
@unmanaged
class RuleColumn extends ListColumn {
  column: u32
  /** By slot, the number of the text, or BLANK_CODE. */
  codes: u32
  /** Whether texts count as blank, which a cell may be only when its accents are composed. */
  hasBlanks: bool
  /** Whether there are texts that have no room. */
  hasLong: bool

  /** NaN where only the engine knows. */
  codeOf(start: u32, end: u32): f64 {
    if (this.hasBlanks && mayCompose(start, end)) return NaN
    if (end - start > LONGEST_OPTION) return this.hasLong ? NaN : OTHER
    const slot = this.slotOf(start, end - start)
    if (load<u8>(slot) == 0) return OTHER
    const code = load<u32>(this.codes + ((slot - this.slots) >> 3))
    return code == BLANK_CODE ? BLANK : <f64>code
  }

  valueOf(record: u32): f64 {
    const column = this.column
    if (mostRows != 0) {
      const text = findText(column, record)
      if (text != A_DAY) return this.valueBetween(text, textEnd)
      // Where texts count as blank, only the engine knows how it is shown.
      return this.slots == 0 ? <f64>textEnd : NaN
    }
    const place = at.positions + ((load<u32>(at.firstEnds + (record << 2)) + column) << 2)
    const start = load<u32>(place - 4) + 1
    let end = load<u32>(place)
    if (column == at.columns - 1) end -= <u32>(load<u8>(end - 1) == at.CARRIAGE_RETURN)
    const isQuoted = <u32>(load<u8>(start) == at.QUOTE)
    return this.valueBetween(start + isQuoted, end - isQuoted)
  }

  private valueBetween(start: u32, end: u32): f64 {
    if (start == end) return BLANK
    const code = this.slots == 0 ? OTHER : this.codeOf(start, end)
    const described = at.descriptors + this.column * at.COLUMN_SIZE
    const kind = load<u32>(described)
    if (kind == NUMBER) return code == BLANK ? code : numberOf(start, end)
    if (kind == DATE) return code == BLANK ? code : changetype<DateColumn>(described).dayOf(start)
    return code
  }
}

@unmanaged
class Filter {
  kind: u32
  /** Addresses of `RuleColumn`. */
  columns: u32
  columnCount: u32
  /** The groups are below the first of these numbers, at it, between it and the second, and so on. */
  points: u32
  pointCount: u32
  /** Those that it is about; those that a later filter may find unmet; by group, those held, and unmet. */
  sets: u32
  /** What a difference is less. */
  plus: f64

  private columnAt(index: u32): RuleColumn {
    return changetype<RuleColumn>(load<u32>(this.columns + (index << 2)))
  }

  private numberOf(record: u32): f64 {
    if (this.kind == FILLED) {
      let filled: f64 = 0
      for (let index: u32 = 0; index < this.columnCount; index++) {
        const value = this.columnAt(index).valueOf(record)
        if (isNaN(value)) return NaN
        filled += <f64>(value != BLANK)
      }
      return filled
    }
    const value = this.columnAt(0).valueOf(record)
    if (this.kind != DIFFERENCE) return value
    const other = this.columnAt(1).valueOf(record)
    return other == BLANK ? BLANK : value - (other + this.plus)
  }

  groupOf(record: u32): u32 {
    const number = this.numberOf(record)
    let low: u32 = 0
    let high = this.pointCount
    while (high - low > FEW_POINTS) {
      const middle = (low + high) >> 1
      if (load<f64>(this.points + (middle << 3)) <= number) low = middle
      else high = middle
    }
    let group = low << 1
    for (; low < high; low++) {
      const point = load<f64>(this.points + (low << 3))
      group += <u32>(point < number) + <u32>(point <= number)
    }
    return group
  }
}

/** Behind the descriptions of columns, so that a copy of these has it. */
@unmanaged
class Rules {
  filters: u32
  filtersEnd: u32
  /** Of 32 rules each. */
  words: u32
  /** The rules that may find something, and those that no filter decides: before any filter, then so far. */
  sets: u32
}

const rules = (): Rules => changetype<Rules>(at.descriptors + at.columns * at.COLUMN_SIZE)

export function hasRules(): bool {
  return rules().words != 0
}

/** `sets`: as in `Rules`, with room for two further ones. */
export function describeRules(filterCount: u32, words: u32, sets: u32): void {
  const described = rules()
  described.filters = described.filtersEnd = at.allocate(filterCount * offsetof<Filter>())
  described.words = words
  described.sets = sets
}

export function addFilter(
  kind: u32,
  columns: u32,
  columnCount: u32,
  plus: f64,
  points: u32,
  pointCount: u32,
  sets: u32,
): void {
  const filter = changetype<Filter>(rules().filtersEnd)
  rules().filtersEnd += offsetof<Filter>()
  filter.kind = kind
  filter.columns = columns
  filter.columnCount = columnCount
  filter.plus = plus
  filter.points = points
  filter.pointCount = pointCount
  filter.sets = sets
}

/** Returns the address of a column that rules read, with at most so many texts. */
export function addRuleColumn(column: u32, mostTexts: u32): u32 {
  const described = changetype<RuleColumn>(at.allocate(offsetof<RuleColumn>()))
  described.column = column
  if (mostTexts > 0) described.codes = at.allocate(described.prepare(mostTexts) << 2)
  return changetype<u32>(described)
}

/** Adds the text that the host has written to the first `size` bytes of `data`. */
export function addText(column: u32, size: u32, code: u32): void {
  const described = changetype<RuleColumn>(column)
  if (code == BLANK_CODE) described.hasBlanks = true
  if (size > LONGEST_OPTION) {
    described.hasLong = true
    return
  }
  described.add(at.data, size)
  store<u32>(described.codes + ((described.slotOf(at.data, size) - described.slots) >> 3), code)
}

/** Whether rules may find something in a regular record without doubtful cells. */
export function mayFind(record: u32): bool {
  const sets = rules().sets
  const filtersEnd = rules().filtersEnd
  const size = rules().words << 2
  const possible = sets + 2 * size
  let left: u32 = 0
  for (let word: u32 = 0; word < size; word += 4) {
    const bits = load<u32>(sets + word)
    left |= bits
    store<u32>(possible + word, bits)
    store<u32>(possible + size + word, load<u32>(sets + size + word))
  }
  for (let place = rules().filters; left != 0 && place < filtersEnd; place += offsetof<Filter>()) {
    const filter = changetype<Filter>(place)
    let asked: u32 = 0
    for (let word: u32 = 0; word < size; word += 4)
      asked |= load<u32>(possible + word) & load<u32>(filter.sets + word)
    if (asked == 0) continue
    const ofGroup = filter.sets + 2 * size * (filter.groupOf(record) + 1)
    left = 0
    for (let word = possible; word < possible + size; word += 4) {
      const offset = word - possible
      const unmet = load<u32>(word + size) | load<u32>(ofGroup + size + offset)
      const held = load<u32>(ofGroup + offset)
      const bits = load<u32>(word) & held & (unmet | load<u32>(filter.sets + size + offset))
      store<u32>(word + size, unmet)
      store<u32>(word, bits)
      left |= bits
    }
  }
  return left != 0
}
