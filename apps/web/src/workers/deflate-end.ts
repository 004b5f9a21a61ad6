/** Extra bits of the lengths 257 to 285 and of the distances (RFC 1951, 3.2.5). */
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const DISTANCE_BITS = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
]
/** The order in which the lengths of the codes for code lengths are written (3.2.7). */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const END_OF_BLOCK = 256
const MOST_BITS = 15

/** A Huffman code: how many codes have each length, and their symbols in order. */
type Code = { readonly counts: readonly number[]; readonly symbols: readonly number[] }

class Damaged extends Error {}

/**
 * How many bytes a stream of raw deflate (RFC 1951) takes of those it begins; null where it is damaged or
 * goes on after them. Walks over the codes and makes no output.
 */
export function deflateEnd(bytes: Uint8Array): number | null {
  try {
    return new StreamWalker(bytes).end()
  } catch (error) {
    if (error instanceof Damaged) return null
    throw error
  }
}

class StreamWalker {
  readonly #bytes: Uint8Array
  /** In bits. */
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  end(): number {
    for (let isLast = false; !isLast;) {
      isLast = this.#bits(1) === 1
      const type = this.#bits(2)
      if (type === 0) this.#passStored()
      else if (type === 1) this.#passCodes(fixedLengths, fixedDistances)
      else if (type === 2) this.#passDynamic()
      else throw new Damaged()
    }
    return (this.#at + 7) >>> 3
  }

  #bits(count: number): number {
    let value = 0
    for (let index = 0; index < count; index++, this.#at++) {
      const byte = this.#at >>> 3
      if (byte >= this.#bytes.length) throw new Damaged()
      value |= ((this.#bytes[byte] >>> (this.#at & 7)) & 1) << index
    }
    return value
  }

  #passStored(): void {
    this.#at = (this.#at + 7) & ~7
    const size = this.#bits(16)
    if (this.#bits(16) !== (size ^ 0xffff)) throw new Damaged()
    this.#at += size * 8
    if (this.#at > this.#bytes.length * 8) throw new Damaged()
  }

  #passDynamic(): void {
    const lengthCount = this.#bits(5) + 257
    const distanceCount = this.#bits(5) + 1
    const orderCount = this.#bits(4) + 4
    const orderLengths = Array<number>(LENGTH_ORDER.length).fill(0)
    for (let index = 0; index < orderCount; index++) orderLengths[LENGTH_ORDER[index]] = this.#bits(3)
    const ofLengths = codeOf(orderLengths)
    const lengths: number[] = []
    while (lengths.length < lengthCount + distanceCount) {
      const symbol = this.#symbol(ofLengths)
      if (symbol < 16) lengths.push(symbol)
      else {
        const repeated = symbol === 16 ? lengths.at(-1) : 0
        if (repeated === undefined) throw new Damaged()
        const times =
          symbol === 16 ? 3 + this.#bits(2) : symbol === 17 ? 3 + this.#bits(3) : 11 + this.#bits(7)
        for (let time = 0; time < times; time++) lengths.push(repeated)
      }
    }
    this.#passCodes(codeOf(lengths.slice(0, lengthCount)), codeOf(lengths.slice(lengthCount)))
  }

  #passCodes(lengths: Code, distances: Code): void {
    for (let symbol = this.#symbol(lengths); symbol !== END_OF_BLOCK; symbol = this.#symbol(lengths)) {
      if (symbol < END_OF_BLOCK) continue
      this.#extraBits(LENGTH_BITS, symbol - END_OF_BLOCK - 1)
      this.#extraBits(DISTANCE_BITS, this.#symbol(distances))
    }
  }

  #extraBits(bits: readonly number[], symbol: number): void {
    if (symbol >= bits.length) throw new Damaged()
    this.#bits(bits[symbol])
  }

  /** Bit by bit: the codes of one length follow each other. */
  #symbol({ counts, symbols }: Code): number {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= MOST_BITS; length++) {
      code |= this.#bits(1)
      const count = counts[length]
      if (code - count < first) return symbols[index + (code - first)]
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw new Damaged()
  }
}

/** Builds a Huffman code from the length of each symbol's code; 0 for a symbol without a code. */
function codeOf(lengths: readonly number[]): Code {
  const counts = Array<number>(MOST_BITS + 1).fill(0)
  const symbols: number[] = []
  for (let length = 1; length <= MOST_BITS; length++)
    for (const [symbol, own] of lengths.entries())
      if (own === length) {
        symbols.push(symbol)
        counts[length]++
      }
  return { counts, symbols }
}

const fixedLengths = codeOf(
  Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
)
const fixedDistances = codeOf(Array<number>(30).fill(5))
