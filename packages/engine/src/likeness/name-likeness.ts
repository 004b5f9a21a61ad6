import { editDistance } from '#likeness/edit-distance.ts'
import { haveOtherMeanings } from '#likeness/other-meaning.ts'

/** How surely two names mean one column, 0 to 100; weighed against place and values in `pair-columns.ts`. */
const LIKENESS = {
  /** The same words, whatever separates them and in any order. */
  same: 100,
  /** The same words without those in brackets: "Amount (EUR)". */
  withoutBrackets: 90,
  /** "DOB", "Cust No", "Qty". */
  abbreviated: 80,
  typo: 70,
  /** One name has all words of the other: "Name" and "Patient name". */
  contained: 45,
  /** An abbreviation of two letters stands for too many names. */
  twoLetters: 45,
  /** Opposites, and other numbers: nothing else that speaks for the pair outweighs it. */
  other: -Infinity,
} as const

/** A name that is split into words. This is done once, because each name is compared with many others. */
export type NameWords = {
  /** Lower case, without accents; runs of digits are words of their own. */
  readonly words: readonly string[]
  /** `words` without articles and prepositions, sorted. */
  readonly content: readonly string[]
  /** The words outside of brackets; null if there are no brackets. */
  readonly outside: readonly string[] | null
}

const BRACKETS = /\([^)]*\)|\[[^\]]*\]/gu
const SMALL_WORDS = new Set(['of', 'the', 'a', 'an', 'and', 'in', 'for'])

/** A longer heading is a value or a note; its words would only take time. */
const LONGEST_NAME = 500

export function nameWords(name: string): NameWords {
  if (name.length > LONGEST_NAME) return { words: [], content: [], outside: null }
  const words = split(name)
  const outside = split(name.replace(BRACKETS, ' '))
  return {
    words,
    content: contentOf(words),
    outside: outside.length > 0 && outside.length < words.length ? outside : null,
  }
}

function split(name: string): string[] {
  const spaced = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=\b\p{L})\.(?=\p{L}\b)/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll('%', ' percent ')
  return spaced.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []
}

const contentOf = (words: readonly string[]) => {
  const content = words.filter((word) => !SMALL_WORDS.has(word))
  return (content.length > 0 ? content : words).toSorted()
}

/** 0 if nothing speaks for one column, -Infinity if much speaks against it: "Diagnosis 1", "Diagnosis 2". */
export function likeness(a: NameWords, b: NameWords): number {
  if (a.words.length === 0 || b.words.length === 0) return 0
  if (haveOtherMeanings(a.words, b.words)) return LIKENESS.other
  if (!sameWords(numbersIn(a.content), numbersIn(b.content))) return 0
  if (a.words.join('') === b.words.join('') || sameWords(a.content, b.content)) return LIKENESS.same
  // Different brackets may be what distinguishes two columns: "Amount (EUR)", "Amount (USD)".
  const isBracketed = a.outside === null ? b.outside !== null : b.outside === null
  if (isBracketed && sameWords(contentOf(a.outside ?? a.words), contentOf(b.outside ?? b.words)))
    return LIKENESS.withoutBrackets
  const short = abbreviates(a.words, b.words) ? a : abbreviates(b.words, a.words) ? b : null
  if (short !== null) return short.words.join('').length > 2 ? LIKENESS.abbreviated : LIKENESS.twoLetters
  if (isTypo(a.words, b.words)) return LIKENESS.typo
  return isContained(a.content, b.content) || isContained(b.content, a.content) ? LIKENESS.contained : 0
}

const isNumber = (word: string) => /^\p{N}/u.test(word)
const numbersIn = (words: readonly string[]) => words.filter(isNumber)

const sameWords = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((word, index) => word === b[index])

/** Whether all words of `part` are in `whole`; numbers alone are no name. */
const isContained = (part: readonly string[], whole: readonly string[]) =>
  !part.every(isNumber) && part.every((word) => whole.includes(word))

/** One wrong letter in four, or two in nine, but not both in one short word: "Net amount", "VAT amount". */
function isTypo(a: readonly string[], b: readonly string[]): boolean {
  const bound = wrongLetters(a.join(' '), b.join(' '))
  const isNear = (one: string, other: string, most: number) =>
    Math.abs(one.length - other.length) <= most && editDistance(one, other, most) <= most
  const isWord = (word: string, index: number) =>
    isNear(word, b[index], Math.max(1, wrongLetters(word, b[index])))
  return isNear(a.join(' '), b.join(' '), bound) && (a.length !== b.length || a.every(isWord))
}

function wrongLetters(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  return length < 4 ? 0 : length < 9 ? 1 : 2
}

/** The longest name whose words are tried as abbreviations; the search branches at each word. */
const MAX_WORDS = 12

/**
 * Word by word, in order: each word is one of `long`, an abbreviation of one, or the initials of several.
 * Small words may be left out.
 */
function abbreviates(short: readonly string[], long: readonly string[]): boolean {
  if (short.length > MAX_WORDS || long.length > MAX_WORDS) return false
  if (short.length === 0) return long.every((word) => SMALL_WORDS.has(word))
  if (long.length === 0) return false
  const [word, ...others] = short
  if (abbreviatesWord(word, long[0]) && abbreviates(others, long.slice(1))) return true
  for (const count of initialsLengths(word, long)) {
    if (abbreviates(others, long.slice(count))) return true
  }
  return SMALL_WORDS.has(long[0]) && abbreviates(short, long.slice(1))
}

/** How many of the first words of `long` the letters of `word` are the initials of, small words or not. */
function* initialsLengths(word: string, long: readonly string[]): Iterable<number> {
  if (word.length < 2) return
  const { length } = word
  if (long.length >= length && word === initials(long.slice(0, length))) yield length
  let letters = ''
  for (const [index, next] of long.entries()) {
    if (!SMALL_WORDS.has(next)) letters += next[0]
    if (letters.length > length) return
    if (letters === word && index + 1 > length) yield index + 1
  }
}

const initials = (words: readonly string[]) => words.map((word) => word[0]).join('')

/** A beginning, then some consonants ("qty", "dept"), no vowel: "departure" has all letters of "date". */
function abbreviatesWord(short: string, long: string): boolean {
  if (short === long) return true
  if (isNumber(short) || isNumber(long)) return false
  if (short === 'no' && long === 'number') return true
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0]) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  let from = at
  for (const letter of short.slice(at)) {
    if ('aeiou'.includes(letter)) return false
    from = long.indexOf(letter, from) + 1
    if (from === 0) return false
  }
  return true
}
