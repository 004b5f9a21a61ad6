import { editDistance, haveNearLetters, lettersIn } from '#edit-distance.ts'

/**
 * The candidate that `text` was most likely meant to be; null where none is near. Near is equal but for case,
 * or an edit distance (insertions, deletions, replacements, swaps of neighbours) of at most a third of the
 * length, rounded up, and at most three. For texts of one or two characters only equal counts. The first of
 * equally near candidates wins.
 */
export const nearestText = (text: string, candidates: Iterable<string>): string | null =>
  new NearestText(candidates).to(text)

/**
 * Finds the nearest candidates of many texts. The candidates are prepared once, because a list of 10,000
 * options and as many invalid values are 100 million pairs.
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
      if (!haveNearLetters(letters, this.#letters[index], bound)) continue
      const distance = editDistance(wanted, lower, bound)
      if (distance > bound) continue
      nearest = this.#candidates[index]
      bound = distance - 1
    }
    return nearest
  }
}
