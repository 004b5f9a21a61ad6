import { KeyHashes, type Repeats } from '#row-rules/key-hashes.ts'
import { KeptValues, type KeyMix, KeyValue, randomMix } from '#row-rules/key-value.ts'
import type { RuleCell } from '#row-rules/rule-cell.ts'

export type KeyLimits = {
  /** Bytes of all keys together. A key for which there is no room waits for a further pass. */
  readonly tables: number
  /** Bytes of the values that one pass compares exactly. */
  readonly compared: number
  /** The bits of each half of a hash that count. */
  readonly hash: number
}

/**
 * A key over the largest file of the portal, with 4.4 million rows, takes 64 MiB, of which half is used, and
 * the other half while it grows. Two such keys have room.
 */
const keyLimits: KeyLimits = { tables: 130 * 1024 * 1024, compared: 64 * 1024 * 1024, hash: 0xffff_ffff }

/** Of a repeat whose values have been compared. */
const COMPARED = 0xffff_ffff

/**
 * Finds rows whose values are those of an earlier row. The first pass over the file collects a hash of each
 * row, and nothing else. If one comes twice, a second pass compares the values of all rows with that hash.
 */
export class UniqueKey {
  readonly #cells: readonly RuleCell[]
  readonly #keys: UniqueKeys
  #mix: KeyMix = randomMix()
  /** While hashes are collected. */
  #hashes: KeyHashes | null = null
  /** Those that come more than once; null until all are collected. */
  #repeats: Repeats | null = null
  /** While values are compared, by repeat: where those of its first row are kept; 0; or COMPARED. */
  #places: Uint32Array | null = null
  #hasCollision = false
  isKnown = false
  /** The row that was looked at last, and the first row with its values. */
  #row = 0
  #first = 0

  constructor(cells: readonly RuleCell[], keys: UniqueKeys) {
    this.#cells = cells
    this.#keys = keys
  }

  /** The first row with the values of this row, as far as this pass knows; 0 if this is it. */
  firstRow(row: number): number {
    this.#row = row
    this.#first = 0
    if (this.#hashes === null && this.#repeats === null) return 0
    const { value, limits } = this.#keys
    value.read(this.#cells, this.#mix, limits.hash)
    if (this.#hashes !== null) {
      if (this.#hashes.add(value.low, value.high)) this.#keys.checkSize()
    } else this.#first = this.#look(row, this.#repeats!)
    return this.#first
  }

  /** The same for the row that was looked at last. */
  firstOf(row: number): number {
    return row === this.#row ? this.#first : 0
  }

  /** In bytes. */
  get size(): number {
    return (this.#hashes?.size ?? 0) + (this.#repeats?.size ?? 0) + (this.#places?.byteLength ?? 0)
  }

  startCounting(): void {
    this.#hashes = new KeyHashes()
    this.#repeats = this.#places = null
    this.#hasCollision = this.isKnown = false
  }

  /** Before a pass for keys that are not known yet. `room`: how many bytes this one may take. */
  startPass(room: number): void {
    if (this.#repeats === null) this.startCounting()
    else if (this.#repeats.count * 4 <= room) this.#places ??= new Uint32Array(this.#repeats.count)
  }

  /** It does nothing in this pass. */
  postpone(): void {
    this.#hashes?.free()
    this.#hashes = null
  }

  /** After a pass over all rows. */
  endPass(): void {
    if (this.#hashes !== null) {
      this.#repeats = this.#hashes.repeats()
      this.#hashes = null
      this.isKnown = this.#repeats === null
    } else if (this.#hasCollision) {
      this.#mix = randomMix()
      this.#repeats = this.#places = null
      this.#hasCollision = false
    } else if (this.#places !== null) {
      // Where the file has lost a row since the first pass, its place stays 0 for ever.
      this.isKnown = this.#places.every((place, repeat) => place !== 0 || this.#repeats!.firsts[repeat] === 0)
      if (this.isKnown) this.#places = null
      else this.#places.forEach((place, repeat, places) => void (places[repeat] = place && COMPARED))
    }
  }

  #look(row: number, repeats: Repeats): number {
    const repeat = repeats.find(this.#keys.value.low, this.#keys.value.high)
    if (repeat < 0) return 0
    const places = this.#places
    const place = places === null ? COMPARED : places[repeat]
    const first = repeats.firsts[repeat]
    if (first === 0 || first === row) {
      repeats.firsts[repeat] = row
      if (place === 0) places![repeat] = this.#keys.keep()
      return 0
    }
    if (place !== 0 && place !== COMPARED && !this.#keys.isKept(place)) this.#hasCollision = true
    return first
  }
}

/** The keys of all rules of a dictionary, over one file. */
export class UniqueKeys {
  readonly #keys: UniqueKey[] = []
  /** Of the row that was looked at last. */
  readonly value = new KeyValue()
  #kept = new KeptValues()
  readonly limits: KeyLimits

  constructor(limits: KeyLimits = keyLimits) {
    this.limits = limits
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
   * After a pass over all rows. Returns whether it was right about each: nothing repeats, or all repeats were
   * known or compared in it. If not, a further pass is needed.
   */
  endPass(): boolean {
    for (const key of this.#keys) key.endPass()
    this.#kept = new KeptValues()
    const open = this.#keys.filter((key) => !key.isKnown)
    for (const [index, key] of open.entries())
      key.startPass(index === 0 ? Infinity : this.limits.tables - this.size)
    return open.length === 0
  }

  /** Postpones keys until the others fit in memory; one key may take what it needs. */
  checkSize(): void {
    const open = this.#keys.filter((key) => !key.isKnown)
    for (let last = open.length - 1; last > 0 && this.size > this.limits.tables; last--) open[last].postpone()
  }

  /** Keeps the value of the row that was looked at last. Returns its place, or 0 where there is no room. */
  keep(): number {
    return this.#kept.keep(this.value, this.limits.compared)
  }

  /** Whether the row that was looked at last has the value that is kept there. */
  isKept(place: number): boolean {
    return this.#kept.isAt(place, this.value)
  }
}
