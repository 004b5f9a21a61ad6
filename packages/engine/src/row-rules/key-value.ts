import type { KeyMix } from '#fast-path/column-kernel.ts'
import { freeMemory, lengthened } from '#formats/bytes.ts'
import { SLAB } from '#row-rules/key-hashes.ts'
import type { RuleCell } from '#row-rules/rule-cell.ts'

export function randomMix(): KeyMix {
  const odd = () => (Math.floor(Math.random() * 2 ** 32) | 1) >>> 0
  return { seed: odd(), one: odd(), other: odd() }
}

const BLANK = 0
const FILLED = 1
const NEGATIVE = 2

const [MINUS, PLUS, POINT, DIGIT_0] = [0x2d, 0x2b, 0x2e, 0x30]
const FIRST_WORDS = 64

/**
 * The values of a row's key cells as words, equal only for equal values. Each cell is a word with its size in
 * bytes and its kind, then its bytes. One object for all rows.
 */
export class KeyValue {
  words = new Uint32Array(FIRST_WORDS)
  #bytes = new Uint8Array(this.words.buffer)
  /** In words. */
  size = 0
  /** The halves of their hash. The low one is not 0. */
  low = 1
  high = 0

  /**
   * The kernel finds the same hash (`hashKeys`). `bits`: of each half of the hash those that count. Returns
   * false if all cells are blank.
   */
  read(cells: readonly RuleCell[], { seed, one, other }: KeyMix, bits: number): boolean {
    this.size = 0
    let isFilled = false
    for (let index = 0; index < cells.length; index++) if (this.#add(cells[index])) isFilled = true
    if (!isFilled) return false
    const { words, size } = this
    let low = seed
    let high = ~seed
    for (let at = 0; at < size; at++) {
      const word = words[at]
      low = Math.imul(low ^ word, one)
      low ^= low >>> 15
      high = Math.imul(high ^ ((word << 13) | (word >>> 19)), other) + low
      high ^= high >>> 13
    }
    // Of each pair of halves another one: a sum beside an exclusive or had 45 bits of 64.
    high = finished(high)
    this.high = (high & bits) >>> 0
    this.low = (finished(low ^ high) & bits) >>> 0 || 1
    return true
  }

  /** Returns whether it is filled. */
  #add(cell: RuleCell): boolean {
    const { bytes, from, to, isBlank } = cell
    if (isBlank) this.#reserve(0, BLANK)
    else if (cell.kind === 'number') this.#addNumber(bytes, from, to)
    else if (cell.kind === 'date') this.words[this.#reserve(4, FILLED)] = cell.day
    else this.#addBytes(bytes, from, to, FILLED)
    return !isBlank
  }

  /** Without what does not matter: a plus, zeros at the ends, the sign of zero. */
  #addNumber(bytes: Uint8Array, from: number, to: number): void {
    let start = bytes[from] === MINUS || bytes[from] === PLUS ? from + 1 : from
    let point = start
    while (point < to && bytes[point] !== POINT) point++
    let end = to
    if (point < to) {
      while (bytes[end - 1] === DIGIT_0) end--
      if (end - 1 === point) end--
    }
    while (start < end && bytes[start] === DIGIT_0) start++
    this.#addBytes(bytes, start, end, bytes[from] === MINUS && start < end ? NEGATIVE : FILLED)
  }

  #addBytes(bytes: Uint8Array, from: number, to: number, kind: number): void {
    const at = 4 * this.#reserve(to - from, kind)
    for (let index = 0; index < to - from; index++) this.#bytes[at + index] = bytes[from + index]
  }

  /** Returns where in `words` the bytes are to be written, with zeros behind them. */
  #reserve(size: number, kind: number): number {
    const at = this.size + 1
    const end = at + ((size + 3) >>> 2)
    if (end > this.words.length) {
      this.words = lengthened(this.words, 2 * end)
      this.#bytes = new Uint8Array(this.words.buffer)
    }
    this.words[end - 1] = 0
    this.words[this.size] = size * 4 + kind
    this.size = end
    return at
  }
}

function finished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** Values that are compared with those of later rows. */
export class KeptValues {
  /** Of each its row, then its words, which say how many they are. The first word is not used. */
  #words = new Uint32Array(0)
  #used = 1

  /** Returns its place; 0 if there is no room for it within `most` bytes. The first one always has room. */
  keep(row: number, { words, size }: KeyValue, most: number): number {
    const place = this.#used
    const end = place + 1 + size
    if (end * 4 > most && place > 1) return 0
    // What is not used takes no memory. To copy all that grows took twice as much.
    if (place === 1) this.#words = new Uint32Array(Math.max(most / 4, end))
    this.#words[place] = row
    this.#words.set(words.subarray(0, size), place + 1)
    this.#used = end
    return place
  }

  /** Frees their memory, so that others may be kept. */
  clear(): void {
    freeMemory(this.#words)
    this.#words = new Uint32Array(0)
    this.#used = 1
  }

  rowAt(place: number): number {
    return this.#words[place]
  }

  isAt(place: number, { words, size }: KeyValue): boolean {
    for (let at = 0; at < size; at++) if (this.#words[place + 1 + at] !== words[at]) return false
    return true
  }
}

const ROW_BYTES = 3
/** In a file with more, the table of the repeats stays. */
const MOST_ROWS = 1 << (8 * ROW_BYTES)

/** Of rows in their order the first row with the same values: a bit for each row, and bytes for a repeat. */
export class FirstRows {
  #bits = new Uint32Array(1)
  /** Arrays that grow would take twice the memory. */
  readonly #slabs: Uint8Array[] = []
  /** How many were added, or read. */
  #rows = 0
  #repeats = 0
  /** In bytes. */
  size = 0

  /** `first`: 0 for a row that is the first one itself. No more are added than `most` bytes hold. */
  add(first: number, most: number): void {
    if (first >= MOST_ROWS) this.size = most
    if (this.size >= most) return
    const at = this.#rows++
    this.size += 1 / 8
    if (at >>> 5 === this.#bits.length) this.#bits = lengthened(this.#bits, 2 * this.#bits.length)
    if (first === 0) return
    this.size += ROW_BYTES
    this.#bits[at >>> 5] |= 1 << at
    if (this.#repeats % SLAB === 0) this.#slabs.push(new Uint8Array(SLAB * ROW_BYTES))
    const slab = this.#slabs[this.#slabs.length - 1]
    const byte = (this.#repeats++ % SLAB) * ROW_BYTES
    slab[byte] = first
    slab[byte + 1] = first >>> 8
    slab[byte + 2] = first >>> 16
  }

  /** To be called when all rows were added or read. */
  rewind(): void {
    this.#rows = this.#repeats = 0
  }

  /** Of the next row; 0 where there were fewer before. */
  next(): number {
    const at = this.#rows++
    if (((this.#bits[at >>> 5] >>> at) & 1) === 0) return 0
    const slab = this.#slabs[Math.floor(this.#repeats / SLAB)]
    const byte = (this.#repeats++ % SLAB) * ROW_BYTES
    return slab[byte] | (slab[byte + 1] << 8) | (slab[byte + 2] << 16)
  }
}
