import type { CsvBadCell } from '#source/csv/csv-bad-cell.ts'

/** Cells that are kept, by the longest in bytes; powers of two. With their cells they are some 4 MB. */
const SHORT = { slots: 1 << 14, bytes: 32 } as const
const LONG = { slots: 1 << 9, bytes: 256 } as const

/** Bytes of a long cell that its hash looks at, at its start. Its end always counts. */
const HASHED_BYTES = 32

/** A column whose bad cells hardly repeat is given up: each miss takes a credit, each hit gives some. */
const CREDITS = 512
const CREDITS_OF_HIT = 8

/**
 * Remembers bad cells by column and bytes, because they repeat: a hit saves the check, the text, and what the
 * sink made of it. A cell is kept when it is seen the second time: values that do not repeat are no work for
 * the garbage collector. It replaces an older one in the same slot, so memory is bounded.
 *
 * Bytes are hashed and compared four at a time; the last four may overlap those before. Of a file in which
 * every cell is bad, the search takes a tenth of the time so, and a quarter byte by byte.
 */
export class KnownBadCells {
  readonly #cells = Array<CsvBadCell | undefined>(SHORT.slots + LONG.slots).fill(undefined)
  /** By slot; 0 where it is free. */
  readonly #hashes = new Int32Array(SHORT.slots + LONG.slots)
  /** The hash of the last cell that was not found, by slot. */
  readonly #seen = new Int32Array(SHORT.slots + LONG.slots)
  /** The bytes of the cells, by slot. */
  readonly #own = new DataView(new ArrayBuffer(SHORT.slots * SHORT.bytes + LONG.slots * LONG.bytes))
  readonly #credits: Int16Array
  /** Those of the file, in which cells are searched. */
  #bytes: Uint8Array = new Uint8Array(0)
  #view: DataView = new DataView(this.#bytes.buffer)
  /** Of the cell that was not found last. */
  #slot = 0
  #hash = 0
  #isSeenAgain = false

  constructor(columns: number) {
    this.#credits = new Int16Array(columns).fill(CREDITS)
  }

  /** Whether the cells of a column are worth a search. */
  isSearched(column: number, size: number): boolean {
    return size <= LONG.bytes && this.#credits[column] > 0
  }

  /** The cell of a column with the bytes `[from, to)`, quotes and padding included. */
  find(bytes: Uint8Array, column: number, from: number, to: number): CsvBadCell | null {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    }
    const hash = hashOf(this.#view, column, from, to)
    const mixed = hash ^ (hash >>> 15)
    const slot =
      to - from <= SHORT.bytes ? mixed & (SHORT.slots - 1) : SHORT.slots + (mixed & (LONG.slots - 1))
    if (this.#hashes[slot] === hash) {
      const cell = this.#cells[slot]!
      if (cell.column === column && cell.size === to - from && this.#isSame(slot, from, to)) {
        if (this.#credits[column] < CREDITS) this.#credits[column] += CREDITS_OF_HIT
        return cell
      }
    }
    this.#credits[column]--
    this.#slot = slot
    this.#hash = hash
    this.#isSeenAgain = this.#seen[slot] === hash
    this.#seen[slot] = hash
    return null
  }

  /** Keeps the cell that `find` did not find, if it was seen before. */
  keepIfSeen(cell: CsvBadCell, from: number): void {
    if (!this.#isSeenAgain) return
    this.#hashes[this.#slot] = this.#hash
    this.#cells[this.#slot] = cell
    const own = ownStart(this.#slot)
    for (let index = 0; index < cell.size; index++) this.#own.setUint8(own + index, this.#bytes[from + index])
  }

  #isSame(slot: number, from: number, to: number): boolean {
    const view = this.#view
    const own = this.#own
    const start = ownStart(slot)
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

const ownStart = (slot: number): number =>
  slot < SHORT.slots ? slot * SHORT.bytes : SHORT.slots * SHORT.bytes + (slot - SHORT.slots) * LONG.bytes

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
