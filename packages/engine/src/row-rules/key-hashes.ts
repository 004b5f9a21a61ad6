import { freeMemory } from '#formats/bytes.ts'

/** In words: less than that would not be given back to the system when it is freed. */
export const SLAB = 1 << 16
/** In hashes, if few are equal: the table of a part then stays in the processor's caches. */
const PART = 1 << 13
/** For each hash of a part, at least: then four of five have theirs alone, if none is there twice. */
const BEGINNINGS = 4
/** So many are kept before it is looked which of them are there a third time. */
const LOOSE_HASHES = 1 << 23

/**
 * Hashes of 64 bits in any order, each as a low word, then a high one. To find repeats, they are divided by
 * their first bits into parts that fit in the processor's caches: sorting took ten times as long. In a part,
 * a table is needed only for those that begin as another does.
 */
export class KeyHashes {
  #slabs: Uint32Array<ArrayBuffer>[] = []
  /** How many words of the last slab are used. */
  #used = SLAB
  count = 0
  /** When as many are there, those that are there twice already are dropped. */
  #most = LOOSE_HASHES

  /** Returns whether it needed more memory. */
  add(low: number, high: number): boolean {
    const isFull = this.#makeRoom()
    const slab = this.#slabs[this.#slabs.length - 1]
    slab[this.#used++] = low
    slab[this.#used++] = high
    this.count++
    return isFull
  }

  /** The same for many, one after the other. */
  addAll(hashes: Uint32Array): boolean {
    let isFull = false
    for (let at = 0; at < hashes.length;) {
      if (this.#makeRoom()) isFull = true
      const size = Math.min(hashes.length - at, SLAB - this.#used)
      this.#slabs[this.#slabs.length - 1].set(hashes.subarray(at, at + size), this.#used)
      this.#used += size
      this.count += size / 2
      at += size
    }
    return isFull
  }

  #makeRoom(): boolean {
    if (this.count >= this.#most) this.#keep(1)
    if (this.#used < SLAB) return false
    this.#slabs.push(new Uint32Array(SLAB))
    this.#used = 0
    return true
  }

  /** The hashes that came more than once, with 0 for each; null if there are none. */
  repeats(): HashTable | null {
    this.#keep(2)
    if (this.count === 0) return null
    const repeats = new HashTable(this.count)
    for (const slab of this.take()) {
      for (let at = 0; at < slab.length; at += 2) repeats.add(slab[at], slab[at + 1])
      freeMemory(slab)
    }
    return repeats
  }

  /** Takes all. Their memory is to be freed: until the garbage collector came, more of it was taken. */
  take(): Uint32Array<ArrayBuffer>[] {
    const slabs = this.#slabs
    if (slabs.length > 0) slabs.push(slabs.pop()!.subarray(0, this.#used))
    this.#slabs = []
    this.#used = SLAB
    this.count = 0
    return slabs
  }

  /** Keeps each hash when it comes the second time, and at the first time if `least` is 1. */
  #keep(least: 1 | 2): void {
    const words = new Uint32Array(2 * this.count)
    const slabs = this.take()
    // At least two parts: a shift by 32 bits is none.
    const bits = Math.max(1, 32 - Math.clz32(words.length / 2 / PART))
    const shift = 32 - bits
    const counts = new Uint32Array(1 << bits)
    for (const slab of slabs) for (let at = 1; at < slab.length; at += 2) counts[slab[at] >>> shift]++
    // Where each part begins, and where it ends as soon as its hashes are there.
    const ends = counts.slice()
    for (let part = 0, all = 0; part < ends.length; all += counts[part++]) ends[part] = all
    for (const slab of slabs) {
      for (let from = 0; from < slab.length; from += 2) {
        const at = 2 * ends[slab[from + 1] >>> shift]++
        words[at] = slab[from]
        words[at + 1] = slab[from + 1]
      }
      freeMemory(slab)
    }
    let at = 0
    const most = counts.reduce((most, count) => Math.max(most, count), 0)
    const table = new HashTable(most)
    const beginningShift = Math.clz32(BEGINNINGS * most)
    // How many low halves have each beginning: 0, 1, or 2 for more.
    const beginnings = new Uint8Array(2 ** (32 - beginningShift))
    for (const end of ends) {
      const from = at
      beginnings.fill(0)
      table.words.fill(0)
      for (; at < 2 * end; at += 2) {
        const beginning = words[at] >>> beginningShift
        beginnings[beginning] = beginnings[beginning] === 0 ? 1 : 2
      }
      for (at = from; at < 2 * end; at += 2) {
        const isLone = beginnings[words[at] >>> beginningShift] === 1
        const times = isLone ? 1 : ++table.words[table.add(words[at], words[at + 1])]
        if (times === 2 || times === least) this.add(words[at], words[at + 1])
      }
    }
    freeMemory(table.words)
    freeMemory(words)
    this.#most = Math.max(LOOSE_HASHES, 2 * this.count)
  }
}

/** For each hash; more would take memory, and fewer time. */
const SLOTS = 4 / 3

/** A number for each of some hashes, beside it: memory is slow at a random place. Sixteen bytes for each. */
export class HashTable {
  /** Of each slot the low half, which is 0 where the slot is free, the high half, and the number. */
  readonly words: Uint32Array<ArrayBuffer>

  constructor(count: number) {
    this.words = new Uint32Array(3 * (Math.ceil(count * SLOTS) + 1))
  }

  /** Adds a hash if it is not there; its low half is not 0. Returns where its number is. */
  add(low: number, high: number): number {
    const at = this.#slotOf(low, high)
    this.words[at] = low
    this.words[at + 1] = high
    return at + 2
  }

  /** Where the number of a hash is; -1 if it is not there. */
  find(low: number, high: number): number {
    const at = this.#slotOf(low, high)
    return this.words[at] === 0 ? -1 : at + 2
  }

  /** The first slot from that of the low half on that is free, or has the hash. */
  #slotOf(low: number, high: number): number {
    const { words } = this
    let at = 3 * Math.floor(low * (words.length / 3 / 2 ** 32))
    while (words[at] !== 0 && (words[at] !== low || words[at + 1] !== high))
      if ((at += 3) === words.length) at = 0
    return at
  }
}
