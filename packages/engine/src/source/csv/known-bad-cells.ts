import type { CsvBadCell } from '#source/csv/csv-bad-cell.ts'

/** A power of two. Full of cells of ten bytes, they are some 5 MB. */
const SLOTS = 1 << 14
/** Longer cells are seldom repeated. */
const MOST_BYTES = 256
/** Bytes of a long cell that its hash looks at, at its start and at its end. */
const HASHED_START = 24
const HASHED_END = 8

/** A column whose bad cells hardly repeat is given up: each miss takes a credit, each hit gives some. */
const CREDITS = 512
const CREDITS_OF_HIT = 8

/**
 * Remembers bad cells by column and bytes, because they repeat: a hit saves the check, the text, and what the
 * sink made of it. A cell is kept when it is seen the second time: values that do not repeat are no work for
 * the garbage collector. It replaces an older one in the same slot, so memory is bounded.
 */
export class KnownBadCells {
  /** By slot; 0 where it is free. Apart from the cells, so that few places in memory are looked at. */
  readonly #hashes = new Int32Array(SLOTS)
  readonly #cells: (CsvBadCell | undefined)[] = Array.from({ length: SLOTS })
  /** The hash of the last cell that was not found, by slot. */
  readonly #seen = new Int32Array(SLOTS)
  readonly #credits: Int16Array
  /** Of the cell that was not found last; 0 if it is new. */
  #hash = 0

  constructor(columns: number) {
    this.#credits = new Int16Array(columns).fill(CREDITS)
  }

  /** Whether the cells of a column are worth a search. */
  isSearched(column: number, size: number): boolean {
    return size <= MOST_BYTES && this.#credits[column] > 0
  }

  /** The cell of a column with the bytes `[from, to)`, quotes and padding included. */
  find(bytes: Uint8Array, column: number, from: number, to: number): CsvBadCell | null {
    const hash = hashOf(bytes, column, from, to)
    const slot = slotOf(hash)
    if (this.#hashes[slot] === hash) {
      const cell = this.#cells[slot]!
      if (cell.column === column && isSame(cell.bytes, bytes, from, to)) {
        if (this.#credits[column] < CREDITS) this.#credits[column] += CREDITS_OF_HIT
        return cell
      }
    }
    this.#credits[column]--
    this.#hash = this.#seen[slot] === hash ? hash : 0
    this.#seen[slot] = hash
    return null
  }

  /** Whether the cell that `find` did not find should be kept. */
  get isSeenAgain(): boolean {
    return this.#hash !== 0
  }

  /** Keeps the cell that `find` did not find. Its bytes are its own. */
  keep(cell: CsvBadCell): void {
    const slot = slotOf(this.#hash)
    this.#hashes[slot] = this.#hash
    this.#cells[slot] = cell
  }
}

const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1)

/** Never 0. */
function hashOf(bytes: Uint8Array, column: number, from: number, to: number): number {
  let hash = Math.imul(column + 1, 0x9e3779b1) ^ (to - from)
  const isLong = to - from > HASHED_START + HASHED_END
  const start = isLong ? from + HASHED_START : to
  for (let at = from; at < start; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193)
  if (isLong) for (let at = to - HASHED_END; at < to; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193)
  return hash === 0 ? 1 : hash
}

function isSame(own: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  const size = to - from
  if (own.length !== size) return false
  for (let index = 0; index < size; index++) if (own[index] !== bytes[from + index]) return false
  return true
}
