import type { ColumnKernel, KeyMix } from '#fast-path/column-kernel.ts'
import { freeMemory } from '#formats/bytes.ts'
import { type HashTable, KeyHashes } from '#row-rules/key-hashes.ts'
import { FirstRows, KeptValues, KeyValue, randomMix } from '#row-rules/key-value.ts'
import type { RuleCell } from '#row-rules/rule-cell.ts'

export type KeyLimits = {
  /** Bytes of all keys together. A key for which there is no room waits for a further pass. */
  readonly tables: number
  /** Bytes of the values that one pass compares exactly. */
  readonly compared: number
  /** The bits of each half of a hash that count. */
  readonly hash: number
}

/** A key over the largest file of the portal, with 4.4 million rows, takes 36 MB. Two such keys have room. */
const keyLimits: KeyLimits = { tables: 80 * 1024 * 1024, compared: 40 * 1024 * 1024, hash: 0xffff_ffff }

/** In place of the first row of a repeat, with the place where its value is kept for this pass. */
const KEPT = 2 ** 31

/**
 * Finds rows with the same values as an earlier row. The first pass over the file only collects a hash of
 * each row. If a hash comes twice, a second pass compares the values of all rows that have it.
 */
export class UniqueKey {
  readonly cells: readonly RuleCell[]
  /** For `collectRecords`; null where texts count as blank, which the kernel does not look for. */
  readonly columns: Uint32Array | null
  /** Whether it is about all rows, so that a table may `collect` their values without asking its rule. */
  isOfEveryRow = false
  readonly #keys: UniqueKeys
  #mix: KeyMix = randomMix()
  /** While hashes are collected. */
  hashes: KeyHashes | null = null
  /** Those that come more than once, with the first row of each; null until all are collected. */
  #repeats: HashTable | null = null
  /** What takes their place when they are known, if it is smaller; null if not. */
  #firstRows: FirstRows | null = null
  /** Whether values are compared in this pass, and what came of it. */
  #isComparing = false
  #hasCollision = false
  #hasRoom = true
  isKnown = false
  /** What `firstRow` has returned last. */
  first = 0

  constructor(cells: readonly RuleCell[], keys: UniqueKeys) {
    this.cells = cells
    const isPlain = cells.every(({ hasBlankTexts }) => !hasBlankTexts)
    this.columns = isPlain ? Uint32Array.from(cells, ({ column }) => column) : null
    this.#keys = keys
  }

  /** The first row with the values of this row, as far as this pass knows; 0 if this is it. */
  firstRow(row: number): number {
    this.first = 0
    if (this.hashes !== null) {
      if (!this.isOfEveryRow || !this.#keys.areCollected) this.collect()
    } else if (this.looksAtRows) {
      const { value, limits } = this.#keys
      if (this.#repeats === null) this.first = this.#firstRows!.next()
      else if (value.read(this.cells, this.#mix, limits.hash)) this.first = this.#look(row, this.#repeats)
      if (this.#isComparing) this.#firstRows!.add(this.first, this.#repeats!.words.byteLength)
    }
    return this.first
  }

  /** Whether its rule must be asked in this pass, although its values are collected where they can be. */
  get looksAtRows(): boolean {
    if (this.hashes !== null) return !this.isOfEveryRow
    return this.#isComparing || (this.#keys.mayEnd && (this.#repeats ?? this.#firstRows) !== null)
  }

  /** Takes the values that the cells show, unless all are blank. */
  collect(): void {
    const { value, limits } = this.#keys
    // Null if it has just been postponed.
    if (this.hashes === null || !value.read(this.cells, this.#mix, limits.hash)) return
    if (this.hashes.add(value.low, value.high)) this.#keys.checkSize()
  }

  /** Takes the values of the records `[from, to)` of the kernel. */
  collectRecords(kernel: ColumnKernel, from: number, to: number): void {
    if (this.hashes === null) return
    const hashes = kernel.hashKeys(this.columns!, from, to, this.#mix, this.#keys.limits.hash)
    if (this.hashes.addAll(hashes)) this.#keys.checkSize()
  }

  /** In bytes. */
  get size(): number {
    const known = (this.#repeats?.words.byteLength ?? 0) + (this.#firstRows?.size ?? 0)
    return (this.hashes?.count ?? 0) * 8 + known
  }

  startCounting(): void {
    this.hashes = new KeyHashes()
    this.#repeats = this.#firstRows = null
    this.isKnown = false
  }

  /** Before a further pass in which it has something to do. */
  startPass(): void {
    if (this.#repeats === null) this.startCounting()
    else {
      this.#isComparing = this.#hasRoom = true
      this.#firstRows = new FirstRows()
    }
  }

  /** It does nothing in this pass. */
  postpone(): void {
    this.hashes?.take().forEach(freeMemory)
    this.hashes = null
  }

  /** After a pass over all rows. */
  endPass(): void {
    if (this.hashes !== null) {
      this.#repeats = this.hashes.repeats()
      this.hashes = null
      this.isKnown = this.#repeats === null
    } else if (this.#hasCollision) {
      this.#mix = randomMix()
      this.#repeats = null
    } else if (this.#isComparing) {
      const { words } = this.#repeats!
      for (let at = 2; at < words.length; at += 3)
        if (words[at] >= KEPT) words[at] = this.#keys.kept.rowAt(words[at] - KEPT)
      this.isKnown = this.#hasRoom
      if (this.isKnown && this.#firstRows!.size < words.byteLength) {
        freeMemory(words)
        this.#repeats = null
      } else this.#firstRows = null
    }
    this.#firstRows?.rewind()
    this.#isComparing = this.#hasCollision = false
  }

  #look(row: number, repeats: HashTable): number {
    const { value, kept, limits } = this.#keys
    const at = repeats.find(value.low, value.high)
    if (at < 0) return 0
    const number = repeats.words[at]
    if (number >= KEPT) {
      if (!kept.isAt(number - KEPT, value)) this.#hasCollision = true
      return kept.rowAt(number - KEPT)
    }
    if (number !== 0) return number === row ? 0 : number
    const place = this.#isComparing ? kept.keep(row, value, limits.compared) : 0
    if (place === 0) this.#hasRoom = false
    else repeats.words[at] = KEPT + place
    return 0
  }
}

/** The keys of all rules of a dictionary, over one file. */
export class UniqueKeys {
  readonly #keys: UniqueKey[] = []
  /** Of the row that was looked at last. */
  readonly value = new KeyValue()
  readonly kept = new KeptValues()
  readonly limits: KeyLimits
  /** Whether all keys may be known after this pass. What is found in any other pass is not reported. */
  mayEnd = true
  /** Of how many keys the hashes had room together. */
  #mostAtOnce = Infinity
  /** Whether the values of the row were collected before its rules are asked. */
  areCollected = false

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

  /** The keys whose values a table may collect before rows are asked. */
  get collecting(): readonly UniqueKey[] {
    return this.#keys.filter((key) => key.isOfEveryRow && key.hashes !== null)
  }

  /** Whether no key needs more of a record, whose cells are surely valid, than the kernel's hashes. */
  get needHashesAlone(): boolean {
    return !this.lookAtRows && this.collecting.every(({ columns }) => columns !== null)
  }

  get lookAtRows(): boolean {
    return this.#keys.some((key) => key.looksAtRows)
  }

  /** Before the first pass over the rows. */
  start(): void {
    this.mayEnd = true
    for (const key of this.#keys) key.startCounting()
  }

  /** False if a further pass over the rows is needed, for repeats that were neither known nor compared. */
  endPass(): boolean {
    for (const key of this.#keys) key.endPass()
    this.kept.clear()
    const open = this.#keys.filter((key) => !key.isKnown)
    for (const key of open.slice(0, this.#mostAtOnce)) key.startPass()
    this.mayEnd = open.length <= this.#mostAtOnce
    return open.length === 0
  }

  /** Postpones keys until the others fit in memory; one key may take what it needs. */
  checkSize(): void {
    const open = this.#keys.filter((key) => !key.isKnown)
    for (let last = open.length - 1; last > 0 && this.size > this.limits.tables; last--) {
      open[last].postpone()
      this.#mostAtOnce = last
    }
  }
}
