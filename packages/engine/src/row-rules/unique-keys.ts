import type { RuleCell } from '#row-rules/rule-cell.ts'

export type KeyLimits = {
  /** Bytes of all keys together. A key whose table does not fit is looked at in a further pass. */
  readonly tables: number
  /** Bytes of the values that one pass compares exactly. */
  readonly compared: number
  /** The bits of a hash that count. */
  readonly hash: number
}

/** A single key over the largest file of the portal, with 4.4 million rows, takes 100 MB. */
const keyLimits: KeyLimits = { tables: 220 * 1024 * 1024, compared: 64 * 1024 * 1024, hash: 0xffff_ffff }
/** What a value takes in memory beside its characters. */
const VALUE_SIZE = 80

type State = 'counting' | 'postponed' | 'comparing' | 'known'

/**
 * Finds rows whose values are those of an earlier row, in memory that does not grow with the values. The
 * first pass over the file keeps a hash of each row; where two are equal, a second look compares the values
 * themselves. From then on, it is known which rows repeat which: a repeated row takes four bytes and a bit.
 */
export class UniqueKey {
  readonly #cells: readonly RuleCell[]
  readonly #keys: UniqueKeys
  #state: State = 'counting'
  #table = new HashTable()
  /** The rows that repeat another, and, in their order, the first row of each. */
  #repeats = new RowSet()
  #firsts = new RowList()
  /** How many repeats this pass has met. */
  #met = 0
  /** The row that was looked at last, and the first row with its values. */
  #row = 0
  #first = 0
  /** First rows whose values are not compared with those of their repeats yet. */
  #wanted = new RowSet()
  #values = new Map<number, string>()
  #compared = 0
  #hasCollision = false

  constructor(cells: readonly RuleCell[], keys: UniqueKeys) {
    this.#cells = cells
    this.#keys = keys
  }

  /** The first row with the values of this row; 0 if this is it. Rows come in their order. */
  firstRow(row: number): number {
    this.#row = row
    this.#first = this.#state === 'counting' ? this.#count(row) : this.#nextFirst(row)
    if (this.#state !== 'comparing') return this.#first
    this.#compare(row)
    return 0
  }

  /** The same for the row that was looked at last. */
  firstOf(row: number): number {
    return row === this.#row ? this.#first : 0
  }

  /** In bytes. */
  get size(): number {
    return this.#table.size + this.#repeats.size + this.#firsts.size + this.#wanted.size
  }

  get isCounting(): boolean {
    return this.#state === 'counting'
  }

  get isPostponed(): boolean {
    return this.#state === 'postponed'
  }

  postpone(): void {
    this.#state = 'postponed'
    this.#table = new HashTable()
    this.#repeats = new RowSet()
    this.#firsts = new RowList()
    this.#wanted = new RowSet()
  }

  startCounting(): void {
    this.postpone()
    this.#state = 'counting'
  }

  /** After all rows were counted: the hashes are no longer needed. */
  endCounting(): void {
    this.#table = new HashTable()
    this.#state = 'known'
    this.#hasCollision = false
  }

  get needsComparing(): boolean {
    return this.#wanted.count > 0
  }

  startComparing(): void {
    this.#state = 'comparing'
    this.#compared = 0
  }

  /** Returns whether all values compared so far are equal. */
  endComparing(): boolean {
    this.#values = new Map()
    this.#state = 'known'
    return !this.#hasCollision
  }

  /** After a pass over the rows. */
  restart(): void {
    this.#met = 0
  }

  #count(row: number): number {
    const { size } = this
    const first = this.#table.add(this.#keys.hash(this.#cells), this.#keys.hashHigh, row)
    if (first !== 0) {
      this.#repeats.add(row)
      this.#firsts.push(first)
      this.#wanted.add(first)
    }
    if (this.size !== size) this.#keys.checkSize()
    return first
  }

  #nextFirst(row: number): number {
    return this.#repeats.has(row) ? this.#firsts.at(this.#met++) : 0
  }

  /** Keeps the values of first rows, as many as there is room for, and compares those that repeat them. */
  #compare(row: number): void {
    if (this.#wanted.has(row) && this.#compared < this.#keys.limits.compared) {
      const value = this.#value()
      this.#compared += value.length + VALUE_SIZE
      this.#values.set(row, value)
      this.#wanted.delete(row)
    }
    const first = this.#first === 0 ? undefined : this.#values.get(this.#first)
    if (first !== undefined && first !== this.#value()) this.#hasCollision = true
  }

  #value(): string {
    return this.#cells.map((cell) => (cell.isBlank ? '' : cell.key)).join('\0')
  }
}

/** The keys of all rules of a dictionary, over one file. */
export class UniqueKeys {
  readonly #keys: UniqueKey[] = []
  #seed = Math.floor(Math.random() * 2 ** 31)
  #one = 0
  #other = 0
  /** The second half of the last hash. */
  hashHigh = 0
  #bytes = new Uint8Array(64)

  readonly limits: KeyLimits

  constructor(limits: KeyLimits = keyLimits) {
    this.limits = limits
    this.#mixAnew()
  }

  add(cells: readonly RuleCell[]): UniqueKey {
    const key = new UniqueKey(cells, this)
    this.#keys.push(key)
    return key
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0
  }

  /** In bytes. */
  get size(): number {
    return this.#keys.reduce((sum, key) => sum + key.size, 0)
  }

  /** Before the first pass over the rows. */
  start(): void {
    for (const key of this.#keys) key.startCounting()
  }

  /**
   * After the first pass. `pass` reads all rows again, as often as it is called. Returns whether the first
   * pass found what there is to find: its repeats are real, and no key was postponed.
   */
  async confirm(pass: () => Promise<void>): Promise<boolean> {
    let isConfirmed = true
    const look = async () => {
      await pass()
      for (const key of this.#keys) key.restart()
    }
    for (let open = this.#keys; open.length > 0;) {
      const postponed = open.filter((key) => key.isPostponed)
      const counted = open.filter((key) => !key.isPostponed)
      for (const key of counted) key.endCounting()
      const collided = await this.#compare(counted, look)
      open = [...postponed, ...collided]
      if (open.length === 0) break
      isConfirmed = false
      if (collided.length > 0) this.#mixAnew()
      for (const key of open) key.startCounting()
      await look()
    }
    return isConfirmed
  }

  /** Compares the values of rows with equal hashes. Returns the keys of which some differ. */
  async #compare(keys: readonly UniqueKey[], look: () => Promise<void>): Promise<UniqueKey[]> {
    const collided: UniqueKey[] = []
    for (let open = keys.filter((key) => key.needsComparing); open.length > 0;) {
      for (const key of open) key.startComparing()
      await look()
      collided.push(...open.filter((key) => !key.endComparing()))
      open = open.filter((key) => key.needsComparing && !collided.includes(key))
    }
    return collided
  }

  /** Postpones keys until the others fit in memory; one key may take what it needs. */
  checkSize(): void {
    const counting = this.#keys.filter((key) => key.isCounting)
    let size = this.size
    for (let last = counting.length - 1; last > 0 && size > this.limits.tables; last--) {
      size -= counting[last].size
      counting[last].postpone()
    }
  }

  /** Half of a hash of the values of the cells; the other half is `hashHigh`. Blank cells count. */
  hash(cells: readonly RuleCell[]): number {
    let low = this.#seed
    let high = ~this.#seed
    for (const cell of cells) {
      const size = this.#write(cell)
      low = Math.imul(low ^ size, this.#one)
      const bytes = this.#bytes
      for (let at = 0; at < size; at += 4) {
        const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
        low = Math.imul(low ^ word, this.#one)
        low ^= low >>> 15
        high = Math.imul(high ^ ((word << 13) | (word >>> 19)), this.#other) + low
        high ^= high >>> 13
      }
    }
    this.hashHigh = (finished(high + low) & this.limits.hash) >>> 0
    return (finished(low ^ high) & this.limits.hash) >>> 0
  }

  /** Writes the canonical value of a cell as bytes, and zeros up to a multiple of four. Returns its size. */
  #write(cell: RuleCell): number {
    if (cell.isBlank) return 0
    if (cell.kind !== 'text') return this.#writeText(String(cell.key))
    const { bytes, from, to } = cell
    const size = to - from
    this.#reserve(size)
    for (let at = 0; at < size; at++) this.#bytes[at] = bytes[from + at]
    return this.#padded(size)
  }

  #writeText(text: string): number {
    this.#reserve(text.length)
    for (let at = 0; at < text.length; at++) this.#bytes[at] = text.charCodeAt(at)
    return this.#padded(text.length)
  }

  #reserve(size: number): void {
    if (this.#bytes.length < size + 4) this.#bytes = new Uint8Array(size * 2)
  }

  #padded(size: number): number {
    this.#bytes.fill(0, size, size + 4)
    return size
  }

  /** Random, so that nobody can write a file whose hashes collide; the result does not depend on it. */
  #mixAnew(): void {
    const odd = () => (Math.floor(Math.random() * 2 ** 32) | 1) >>> 0
    this.#seed = odd()
    this.#one = odd()
    this.#other = odd()
  }
}

function finished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const FIRST_SLOTS = 1 << 8
const INTS_OF_SLOT = 3
const FAST_GROWTH = 1 << 14
const PARTS = 16

/**
 * Hashes of 64 bits and the first row of each. Sixteen parts that grow one by one, so that growing needs
 * little memory at once; each is at most three quarters full.
 */
class HashTable {
  readonly #parts = Array.from({ length: PARTS }, () => new Uint32Array(0))
  readonly #counts = new Uint32Array(PARTS)
  /** In bytes. */
  size = 0

  /**
   * The row that was added with this hash before; 0 if none was, and then it is added. Rows are from 1 on.
   */
  add(low: number, high: number, row: number): number {
    const part = high >>> 28
    if (this.#counts[part] * INTS_OF_SLOT * 4 >= this.#parts[part].length * 3) this.#grow(part)
    const slots = this.#parts[part]
    const at = slotOf(slots, low, high)
    if (slots[at + 2] !== 0) return slots[at + 2]
    slots[at] = low
    slots[at + 1] = high
    slots[at + 2] = row
    this.#counts[part]++
    return 0
  }

  #grow(part: number): void {
    const old = this.#parts[part]
    // A small one grows fast, because it will be filled soon; a large one may take much memory.
    const length = old.length * (old.length < FAST_GROWTH ? 8 : 2)
    const slots = new Uint32Array(length === 0 ? FIRST_SLOTS * INTS_OF_SLOT : length)
    this.size += slots.byteLength - old.byteLength
    this.#parts[part] = slots
    for (let at = 0; at < old.length; at += INTS_OF_SLOT) {
      if (old[at + 2] === 0) continue
      const to = slotOf(slots, old[at], old[at + 1])
      for (let index = 0; index < INTS_OF_SLOT; index++) slots[to + index] = old[at + index]
    }
  }
}

/** The slot of a hash, or the free one where it would be. */
function slotOf(slots: Uint32Array, low: number, high: number): number {
  const count = slots.length / INTS_OF_SLOT
  let slot = low & (count - 1)
  for (;;) {
    const at = slot * INTS_OF_SLOT
    if (slots[at + 2] === 0 || (slots[at] === low && slots[at + 1] === high)) return at
    slot = (slot + 1) & (count - 1)
  }
}

/** Row numbers, a bit for each row of the file. */
class RowSet {
  #bits = new Uint8Array(16)
  count = 0

  has(row: number): boolean {
    return (this.#bits[row >>> 3] & (1 << (row & 7))) !== 0
  }

  add(row: number): void {
    if (this.has(row)) return
    const at = row >>> 3
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bits.length * 2))
      larger.set(this.#bits)
      this.#bits = larger
    }
    this.#bits[at] |= 1 << (row & 7)
    this.count++
  }

  /** A row that it has. */
  delete(row: number): void {
    this.#bits[row >>> 3] &= ~(1 << (row & 7))
    this.count--
  }

  get size(): number {
    return this.#bits.byteLength
  }
}

/** Row numbers, in the order in which they were added. */
class RowList {
  #rows = new Uint32Array(16)
  #length = 0

  push(row: number): void {
    if (this.#length === this.#rows.length) {
      const larger = new Uint32Array(this.#length * 2)
      larger.set(this.#rows)
      this.#rows = larger
    }
    this.#rows[this.#length++] = row
  }

  get size(): number {
    return this.#rows.byteLength
  }

  at(index: number): number {
    return this.#rows[index]
  }
}
