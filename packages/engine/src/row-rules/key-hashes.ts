const FIRST_HASHES = 1 << 6
/** So many are kept before it is looked which of them are there a third time. */
const LOOSE_HASHES = 1 << 18

/**
 * Hashes of 64 bits: of each a word with its low half, then one with its high half. They are in any order,
 * and none is there more than twice for long.
 */
export class KeyHashes {
  #words = new Uint32Array(2 * FIRST_HASHES)
  /** How many words are used. */
  #used = 0

  /** Returns whether it needed more memory. */
  add(low: number, high: number): boolean {
    const hasGrown = this.#used === this.#words.length && this.#makeRoom()
    this.#words[this.#used++] = low
    this.#words[this.#used++] = high
    return hasGrown
  }

  /** In bytes. */
  get size(): number {
    return this.#words.byteLength
  }

  /** The hashes that came more than once; null if there are none. To be called once, at the end. */
  repeats(): Repeats | null {
    this.#squeeze()
    const words = this.#words
    let kept = 0
    for (let at = 2; at < this.#used; at += 2) {
      if (words[at] !== words[at - 2] || words[at + 1] !== words[at - 1]) continue
      words[kept] = words[at]
      words[kept + 1] = words[at + 1]
      kept += 2
    }
    const repeats = kept === 0 ? null : new Repeats(words.subarray(0, kept))
    this.free()
    return repeats
  }

  /** At once: until the garbage collector came, those of the next pass took memory beside them. */
  free(): void {
    this.#words.buffer.transfer(0)
  }

  #makeRoom(): boolean {
    if (this.#used >= 2 * LOOSE_HASHES) this.#squeeze()
    if (this.#used * 2 <= this.#words.length) return false
    const larger = new Uint32Array(this.#words.length * 2)
    larger.set(this.#words)
    // `transfer` to a larger buffer would write zeros behind them, which takes memory.
    this.free()
    this.#words = larger
    return true
  }

  /** Sorts them, and drops those that are there twice already. */
  #squeeze(): void {
    const words = this.#words
    new BigUint64Array(words.buffer, 0, this.#used / 2).sort()
    let kept = 0
    for (let at = 0; at < this.#used; at += 2) {
      if (kept >= 4 && words[at] === words[kept - 4] && words[at + 1] === words[kept - 3]) continue
      words[kept++] = words[at]
      words[kept++] = words[at + 1]
    }
    this.#used = kept
  }
}

/**
 * The hashes that come more than once, and the first row of each. They are found by the first bits of the
 * high half, and told apart by the low half: what is found may be another one. Nine bytes for each.
 */
export class Repeats {
  readonly count: number
  /** By repeat; 0 until it is known. */
  readonly firsts: Uint32Array
  readonly #lows: Uint32Array
  /** By the first bits of a high half, how many hashes are before those with it. */
  readonly #starts: Uint32Array
  readonly #shift: number

  /** `sorted`: by their high halves. */
  constructor(sorted: Uint32Array) {
    this.count = sorted.length / 2
    this.firsts = new Uint32Array(this.count)
    this.#lows = this.firsts.map((_, repeat) => sorted[2 * repeat])
    this.#shift = Math.min(31, Math.clz32(this.count) + 2)
    this.#starts = new Uint32Array(2 ** (32 - this.#shift) + 1)
    for (let at = 1; at < sorted.length; at += 2) this.#starts[(sorted[at] >>> this.#shift) + 1]++
    for (let part = 1; part < this.#starts.length; part++) this.#starts[part] += this.#starts[part - 1]
  }

  /** In bytes. */
  get size(): number {
    return this.firsts.byteLength + this.#lows.byteLength + this.#starts.byteLength
  }

  /** The number of a repeat that may have this hash; -1 if none has. */
  find(low: number, high: number): number {
    const part = high >>> this.#shift
    const wanted = low >>> 0
    const end = this.#starts[part + 1]
    for (let repeat = this.#starts[part]; repeat < end; repeat++)
      if (this.#lows[repeat] === wanted) return repeat
    return -1
  }
}
