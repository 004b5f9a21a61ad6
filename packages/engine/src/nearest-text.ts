/**
 * The candidate that `text` was most likely meant to be; null where none is near. Near is equal but for case,
 * or an edit distance (insertions, deletions, replacements, swaps of neighbours) of at most a third of the
 * length, rounded up, and at most three. For texts of one or two characters only equal counts. The first of
 * equally near candidates wins.
 */
export const nearestText = (text: string, candidates: Iterable<string>): string | null =>
  new NearestText(candidates).to(text)

/**
 * The same for many texts, with the candidates prepared once: a list of 10,000 options and as many invalid
 * values are 100 million pairs.
 */
export class NearestText {
  readonly #candidates: readonly string[]
  readonly #lower: readonly string[]
  readonly #letters: Int32Array

  constructor(candidates: Iterable<string>) {
    this.#candidates = [...candidates]
    this.#lower = this.#candidates.map((candidate) => candidate.toLowerCase())
    this.#letters = Int32Array.from(this.#lower, lettersIn)
  }

  to(text: string): string | null {
    const wanted = text.toLowerCase()
    const letters = lettersIn(wanted)
    let bound = wanted.length < 3 ? 0 : Math.min(3, Math.ceil(wanted.length / 3))
    let nearest: string | null = null
    for (const [index, lower] of this.#lower.entries()) {
      if (Math.abs(lower.length - wanted.length) > bound) continue
      if (lower === wanted) return this.#candidates[index]
      // An edit adds one letter at most and removes one at most: this check alone excludes nearly all
      // candidates.
      const others = this.#letters[index]
      if (ones(letters & ~others) > bound || ones(others & ~letters) > bound) continue
      const distance = editDistance(wanted, lower, bound)
      if (distance > bound) continue
      nearest = this.#candidates[index]
      bound = distance - 1
    }
    return nearest
  }
}

/** Which letters a text has, as bits; some letters share one. */
function lettersIn(text: string): number {
  let letters = 0
  for (let index = 0; index < text.length; index++) letters |= 1 << (text.charCodeAt(index) & 31)
  return letters
}

function ones(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}

/** Optimal string alignment distance, or any number above `bound` as soon as it must exceed it. */
export function editDistance(a: string, b: string, bound: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = last[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1)
      let distance = Math.min(replaced, last[column] + 1, current[column - 1] + 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) distance = Math.min(distance, beforeLast[column - 2] + 1)
      current.push(distance)
    }
    if (Math.min(...current) > bound) return bound + 1
    beforeLast = last
    last = current
  }
  return last[b.length]
}
