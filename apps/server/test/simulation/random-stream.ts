/** Pseudo-random numbers of one seed: the same seed gives the same ones. */
export type RandomStream = {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  /** From `least` to below `most`, not a whole number. */
  between(least: number, most: number): number
  /** True with this probability. */
  isLikely(probability: number): boolean
  oneOf<T>(items: readonly T[]): T
  uuid(): string
}

/** Mixes numbers into 32 bits (the finalizer of MurmurHash3). */
export function mix(...numbers: number[]): number {
  let hash = 0x9e3779b9
  for (const number of numbers) {
    hash = Math.imul(hash ^ number, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return hash >>> 0
}

/** The generator sfc32, which has 128 bits of state. */
export function createRandomStream(seed: number, stream: number): RandomStream {
  let [a, b, c, d] = [mix(seed, stream, 1), mix(seed, stream, 2), mix(seed, stream, 3), 1]
  const bits = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) bits()
  const next = () => bits() / 4_294_967_296
  const below = (limit: number) => Math.floor(next() * limit)
  const hex = () => bits().toString(16).padStart(8, '0')
  return {
    next,
    below,
    between: (least, most) => least + next() * (most - least),
    isLikely: (probability) => probability > 0 && next() < probability,
    oneOf: (items) => items[below(items.length)] as (typeof items)[number],
    uuid() {
      const [one, two, three, four] = [hex(), hex(), hex(), hex()]
      return `${one}-${two.slice(0, 4)}-4${two.slice(5)}-a${three.slice(1, 4)}-${three.slice(4)}${four}`
    },
  }
}

/** Mixes a text into a digest. */
export function mixText(digest: number, text: string): number {
  let hash = digest
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return mix(hash, text.length)
}
