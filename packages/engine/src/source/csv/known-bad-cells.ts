import type { CsvBadCell } from '#source/csv/csv-bad-cell.ts'

/** The number of slots at first: they fit in the processor's first caches, and most files need no more. */
const FEW_SLOTS = 1 << 11
/** The number of slots after this many cells were kept. */
const MANY_SLOTS = 1 << 14
const MANY_CELLS = FEW_SLOTS / 2

/** Longer cells are not searched. */
const MAX_SIZE = 256

/** How many bytes of cells can be stored for each slot. When all space is used, all cells are removed. */
const BYTES_OF_SLOT = 32

/** The data of a slot are integers side by side, so that a search reads only one cache line. */
const INTS_OF_SLOT = 4
/** The hash of the cell; 0 if the slot is free. */
const HASH = 0
/** The hash of the last cell that was not found. */
const SEEN = 1
/** Where the bytes of the cell begin. */
const START = 2
/** Its column and size (`shapeOf`). */
const SHAPE = 3

/** How many bytes at the start of a long cell its hash includes. The last bytes are always included. */
const HASHED_BYTES = 32

/**
 * In a column whose bad cells rarely repeat, searching stops: each miss costs one credit, each hit adds some.
 */
const CREDITS = 512
const CREDITS_OF_HIT = 8

/** Result of `find`: the cell is not known. */
export const NOT_FOUND = -1

/**
 * Remembers bad cells by column and bytes, because they repeat: a hit saves the check, the text, and what the
 * sink made of it. A cell is kept when it is seen the second time: values that do not repeat are no work for
 * the garbage collector. It replaces an older one in the same slot, so memory is bounded.
 *
 * Bytes are hashed and compared four at a time; the last four may overlap those before. Of a file in which
 * every cell is bad, the search takes a tenth of the time so, and a quarter byte by byte.
 */
export class KnownBadCells {
  /** By slot. */
  #cells!: (CsvBadCell | undefined)[]
  #slots!: Int32Array
  #lastSlot = 0
  /** How many cells were ever kept. */
  #keptCount = 0
  /** A copy of the bytes of all cells, one after the other. */
  #own!: DataView
  #ownSize = 0
  readonly #credits: Int16Array
  /** The bytes of the file, in which the searched cells are. */
  #bytes: Uint8Array = new Uint8Array(0)
  #view: DataView = new DataView(this.#bytes.buffer)
  /** The slot of the last cell that was not found. */
  #slot = 0
  #hash = 0
  #isSeenAgain = false

  constructor(columns: number) {
    this.#credits = new Int16Array(columns).fill(CREDITS)
    this.#begin(FEW_SLOTS)
  }

  /** Whether the cells of a column are worth a search. */
  isSearched(column: number, size: number): boolean {
    return size <= MAX_SIZE && this.#credits[column] > 0
  }

  /** The slot of the cell of a column with the bytes `[from, to)`, quotes and padding included. */
  find(bytes: Uint8Array, column: number, from: number, to: number): number {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    }
    const slots = this.#slots
    const hash = hashOf(this.#view, column, from, to)
    const slot = (hash ^ (hash >>> 15)) & this.#lastSlot
    const at = slot * INTS_OF_SLOT
    if (slots[at + HASH] === hash && slots[at + SHAPE] === shapeOf(column, to - from)) {
      if (this.#isSame(slots[at + START], from, to)) {
        if (this.#credits[column] < CREDITS) this.#credits[column] += CREDITS_OF_HIT
        return slot
      }
    }
    this.#credits[column]--
    this.#slot = slot
    this.#hash = hash
    this.#isSeenAgain = slots[at + SEEN] === hash
    slots[at + SEEN] = hash
    return NOT_FOUND
  }

  /** The cell in a slot that `find` has just returned. */
  cell(slot: number): CsvBadCell {
    return this.#cells[slot]!
  }

  /** Keeps the cell that `find` did not find, if it was seen before. */
  keepIfSeen(cell: CsvBadCell, from: number): void {
    if (!this.#isSeenAgain) return
    if (this.#ownSize + cell.size > this.#own.byteLength || ++this.#keptCount === MANY_CELLS) {
      // This cell is not kept, because with more slots it has another slot.
      this.#begin(MANY_SLOTS)
      return
    }
    const at = this.#slot * INTS_OF_SLOT
    this.#slots[at + HASH] = this.#hash
    this.#slots[at + START] = this.#ownSize
    this.#slots[at + SHAPE] = shapeOf(cell.column, cell.size)
    this.#cells[this.#slot] = cell
    for (let index = 0; index < cell.size; index++)
      this.#own.setUint8(this.#ownSize++, this.#bytes[from + index])
  }

  /** Forgets all cells. */
  #begin(slots: number): void {
    this.#cells = Array<CsvBadCell | undefined>(slots).fill(undefined)
    this.#slots = new Int32Array(slots * INTS_OF_SLOT)
    this.#lastSlot = slots - 1
    this.#own = new DataView(new ArrayBuffer(slots * BYTES_OF_SLOT))
    this.#ownSize = 0
  }

  #isSame(start: number, from: number, to: number): boolean {
    const view = this.#view
    const own = this.#own
    const size = to - from
    if (size < 4) {
      for (let at = 0; at < size; at++)
        if (own.getUint8(start + at) !== view.getUint8(from + at)) return false
      return true
    }
    for (let at = 0; at < size - 4; at += 4)
      if (own.getInt32(start + at, true) !== view.getInt32(from + at, true)) return false
    return own.getInt32(start + size - 4, true) === view.getInt32(to - 4, true)
  }
}

/** One number for a column and a size of at most `MAX_SIZE` bytes. */
const shapeOf = (column: number, size: number): number => column * (MAX_SIZE + 1) + size

/** Never 0. */
function hashOf(view: DataView, column: number, from: number, to: number): number {
  const size = to - from
  let hash = Math.imul(column + 1, 0x9e3779b1) ^ size
  if (size < 4) for (let at = from; at < to; at++) hash = mix(hash, view.getUint8(at))
  else {
    const end = Math.min(size - 4, HASHED_BYTES)
    for (let at = 0; at < end; at += 4) hash = mix(hash, view.getInt32(from + at, true))
    hash = mix(hash, view.getInt32(to - 4, true))
  }
  return hash === 0 ? 1 : hash
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}
