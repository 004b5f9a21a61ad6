import { editDistance, haveNearLetters, lettersIn } from '#likeness/edit-distance.ts'
import { foldedAccents } from '#likeness/folded-text.ts'
import { differingWords, haveOtherMeanings } from '#likeness/other-meaning.ts'

/** Longest text that is compared; longer ones are not typing errors. */
const MAX_LENGTH = 200

/**
 * Finds the option that a misspelt value surely means: exactly one is near, and the next is clearly further,
 * by insertions, deletions, replacements and swaps of neighbours, in one case and without accents. Prepared
 * once for many values. "Did you mean …?" with a wrong value costs as much trust as a wrong suggestion.
 */
export class NearestOption {
  readonly #options: readonly string[]
  readonly #folded: readonly string[]
  readonly #letters: Int32Array
  readonly #lengths: Uint16Array
  #words: ReadonlySet<string> | undefined

  constructor(options: readonly string[]) {
    this.#options = options
    this.#folded = options.map(foldedAccents)
    this.#letters = Int32Array.from(this.#folded, lettersIn)
    this.#lengths = Uint16Array.from(this.#folded, (text) => Math.min(text.length, 0xffff))
  }

  /** null where no option is surely meant. */
  to(text: string): string | null {
    if (text.length > MAX_LENGTH) return null
    const folded = foldedAccents(text)
    const { length } = folded
    if (length < 2) return null
    const most = mostEdits(length)
    // Rivals one step beyond the margin matter too.
    const bound = most === 1 ? 1 : most + 1
    const letters = lettersIn(folded)
    let nearest = -1
    let least = Infinity
    let next = Infinity
    for (let index = 0; index < this.#lengths.length; index++) {
      if (Math.abs(this.#lengths[index] - length) > bound) continue
      if (!haveNearLetters(letters, this.#letters[index], bound)) continue
      const distance = editDistance(folded, this.#folded[index], bound)
      if (distance < least) {
        next = least
        least = distance
        nearest = index
      } else if (distance < next) next = distance
    }
    if (nearest < 0 || least > most) return length < LONG ? null : this.#withReplacedLetters(folded)
    const margin = least === 1 ? 1 : 2
    if (next - least < margin || hasOtherWord(folded, this.#folded[nearest])) return null
    return this.#ifTypingError(folded, nearest, least)
  }

  /** Whether another option than this one is one typing error away. */
  hasOther(text: string, option: string): boolean {
    const folded = foldedAccents(text)
    return this.#folded.some(
      (other, index) => this.#options[index] !== option && editDistance(folded, other, 1) <= 1,
    )
  }

  /**
   * A program or a scanner takes one letter for another everywhere. So in a long text more letters may be
   * wrong, if none was inserted or left out.
   */
  #withReplacedLetters(folded: string): string | null {
    let nearest = -1
    let least = Math.floor(folded.length / LETTERS_PER_REPLACEMENT) + 1
    let next = Infinity
    for (let index = 0; index < this.#lengths.length; index++) {
      if (this.#lengths[index] !== folded.length) continue
      const count = replacements(folded, this.#folded[index])
      if (count < least) {
        if (nearest >= 0) next = least
        least = count
        nearest = index
      } else if (count < next) next = count
    }
    if (nearest < 0 || next - least < 2) return null
    return hasLongReplacement(folded, this.#folded[nearest])
      ? null
      : this.#ifTypingError(folded, nearest, least)
  }

  #ifTypingError(folded: string, index: number, distance: number): string | null {
    const option = this.#folded[index]
    const isOther = () =>
      this.#hasOwnWords(folded, option) || haveOtherMeanings(wordsOf(folded), wordsOf(option))
    return isTypingError(folded, option, distance) && !isOther() ? this.#options[index] : null
  }

  /** Whether what differs are words of other options: "North West" is no misspelt "North East". */
  #hasOwnWords(value: string, option: string): boolean {
    this.#words ??= new Set(this.#folded.flatMap(wordsOf))
    const ofOption = new Set(wordsOf(option))
    const different = wordsOf(value).filter((word) => !ofOption.has(word))
    return different.length > 0 && different.every((word) => this.#words!.has(word))
  }
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

const mostEdits = (length: number): number => (length < 6 ? 1 : length < 10 ? 2 : 3)

/** Whether all edits are in one short word, which is another one then: Death date, Birth date. */
function hasOtherWord(value: string, option: string): boolean {
  const [own, others] = differingWords(wordsOf(value), wordsOf(option))
  return (
    own.length === others.length &&
    own.some((word, index) => {
      const most = mostEdits(Math.max(word.length, others[index].length))
      return editDistance(word, others[index], most) > most
    })
  )
}

/** Length from which a text says enough to be recognized with one of four letters replaced. */
const LONG = 16
const LETTERS_PER_REPLACEMENT = 4
/** More letters side by side are another word. */
const MOST_SIDE_BY_SIDE = 2

/** How many characters of two texts of one length differ. */
function replacements(one: string, other: string): number {
  let count = 0
  for (let at = 0; at < one.length; at++) if (one.charCodeAt(at) !== other.charCodeAt(at)) count++
  return count
}

/** Whether more characters side by side differ than a replaced letter explains. */
function hasLongReplacement(one: string, other: string): boolean {
  let run = 0
  for (let at = 0; at < one.length; at++) {
    run = one.charCodeAt(at) === other.charCodeAt(at) ? 0 : run + 1
    if (run > MOST_SIDE_BY_SIDE) return true
  }
  return false
}

const DIGITS = /\d+/g
/** Signs that are all the difference between <5 and >5, and between Open and a doubtful "Open?". */
const SIGNS = /[<>=\u2260\u2264\u2265+#?]/g

/** v10 is not v1.0. */
export const haveOtherNumbers = (one: string, other: string): boolean =>
  DECIMALS.test(one + other) && numbersIn(one) !== numbersIn(other)
const DECIMALS = /\d[.,]\d/
const numbersIn = (text: string): string => text.match(/\d+/g)?.join() ?? ''

/** Whether the difference looks like a typing error, and not like another word or another number. */
function isTypingError(value: string, option: string, distance: number): boolean {
  const longest = Math.max(value.length, option.length)
  if (distance >= Math.min(value.length, option.length)) return false
  if (distance * 2 > longest) return false
  // 1,0 is not 10.
  if (!/\p{L}/u.test(value)) return false
  if ((value.match(SIGNS)?.join('') ?? '') !== (option.match(SIGNS)?.join('') ?? '')) return false
  if (haveOtherNumbers(value, option)) return false
  const ours = value.match(DIGITS)?.join('') ?? ''
  const theirs = option.match(DIGITS)?.join('') ?? ''
  // AB-12 is not AB-13, but AB-1x may be.
  if (ours !== theirs && (ours.length >= theirs.length || value.length !== option.length)) return false
  // Unpaid is not Paid, and Opened is not Open.
  return distance === 1 || !(value.includes(option) || option.includes(value))
}
