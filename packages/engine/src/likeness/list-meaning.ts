import type { CauseKind } from '@veridict/contract/model/cause'
import { isPlaceholder, isShortenedNumber, withoutQuotes, withPlainSpaces } from '#likeness/clean-text.ts'
import { datedCodes } from '#likeness/dated-codes.ts'
import { foldedAccents, foldedCase, foldedMarks } from '#likeness/folded-text.ts'
import { haveOtherNumbers, NearestOption } from '#likeness/nearest-option.ts'
import { codeAndLabel, type OptionNames, optionNames } from '#likeness/option-names.ts'
import synonyms from '#known/synonyms.json' with { type: 'json' }

/** What a text that is no option is instead; `option` is null where the right one is open. */
export type Meaning = { readonly kind: CauseKind; readonly detail: string; readonly option: string | null }

export type ListMeaning = {
  /** null where no option is the same but for its spelling, and none has this other name. */
  findBySpelling(text: string): Meaning | null
  /** The option that a text is a misspelling of. It compares the text with every option. */
  findByLikeness(text: string): string | null
}

/** Longest value that is looked up; a longer one is in no list that people choose from. */
const MAX_LISTED_LENGTH = 200

/** Words with one meaning; a list that has exactly one word of a group means that one. */
const SYNONYMS: readonly ReadonlySet<string>[] = synonyms.map((words) => new Set(words.split('|')))

/** For each option its fold; null where two options have the same one. */
function indexed(options: readonly string[], fold: (text: string) => string): Map<string, string | null> {
  const index = new Map<string, string | null>()
  for (const option of options) {
    const key = fold(option)
    index.set(key, index.has(key) ? null : option)
  }
  return index
}

const meaning = (kind: CauseKind, option: string | null, detail = ''): Meaning => ({ kind, detail, option })

/** Not compared, and so not counted by value. */
const longValue = meaning('notInList', null, 'long')
/** Two options differ in letter case alone. */
const twoOptions = meaning('notInList', null, 'case')

/** What values mean that are not in the list, for suggestions and sentences. The first makes all indexes. */
export function listMeaning(options: readonly string[], description: string): ListMeaning {
  let indexes: ReturnType<typeof makeIndexes> | undefined
  const makeIndexes = () => ({
    byText: new Map(options.map((option) => [option.normalize('NFC'), option])),
    byCase: indexed(options, foldedCase),
    byAccents: indexed(options, foldedAccents),
    byMarks: indexed(options, foldedMarks),
    nearest: new NearestOption(options),
    names: optionNames(options, description),
    codesOf: datedCodes(options),
  })

  function findBySpelling(text: string): Meaning | null {
    if (text.length > MAX_LISTED_LENGTH) return longValue
    const { byText, byCase, byAccents, byMarks, names, codesOf } = (indexes ??= makeIndexes())
    const plain = withPlainSpaces(text).normalize('NFC')
    const bare = withoutQuotes(plain)
    const same = byText.get(bare)
    if (same !== undefined) return meaning(bare === plain ? 'spaces' : 'quotes', same)
    const sameLetters = byCase.get(foldedCase(bare))
    if (sameLetters != null) return meaning('letterCase', sameLetters)
    if (sameLetters === null) return twoOptions
    const codes = codesOf(bare)
    if (codes !== null) return meaning('codeAsDate', only(codes))
    if (isShortenedNumber(text)) return meaning('shortenedNumber', null)
    const variant =
      byAccents.get(foldedAccents(bare)) ?? markVariant(byMarks, bare) ?? numberVariant(options, bare)
    if (variant !== null) return meaning('variant', variant)
    const restored = withLostLetters(options, bare)
    if (restored !== null) return meaning('brokenLetters', restored, 'lost')
    // What the description says comes first: with "0 = yes", yes is not 1.
    const synonym =
      names.optionNamed(bare) ?? synonymOf(options, bare, names) ?? withoutCode(byCase, bare, names)
    return synonym === null ? null : meaning('variant', synonym)
  }

  function findByLikeness(text: string): string | null {
    const bare = withoutQuotes(withPlainSpaces(text))
    const { nearest: nearestOption, names } = (indexes ??= makeIndexes())
    if (text.length > MAX_LISTED_LENGTH || isPlaceholder(bare)) return null
    const nearest = names.isOtherName(bare) ? null : nearestOption.to(bare)
    return nearest === null || isOpposite(bare, nearest)
      ? abbreviated(options, bare, nearestOption)
      : orAbbreviated(options, bare, nearest)
  }

  return { findBySpelling, findByLikeness }
}

function markVariant(byMarks: ReadonlyMap<string, string | null>, text: string): string | null {
  const key = foldedMarks(text)
  // -5 is not 5, A- is not A, and marks alone mean nothing.
  const isOther = key === '' || /^[+-]?[\d.,]+$|[-\u2010-\u2015\u2212]$/.test(text)
  const option = isOther ? null : (byMarks.get(key) ?? null)
  return option === null || haveOtherNumbers(text, option) ? null : option
}

/** A label that gives its code another meaning: 1) or 2, 1 - half, A - not valid. Not No in 1 - No. */
const CHANGES_CODE = new RegExp(
  '\\d|^non?(?![a-z]|$)|' +
    '^(?:or|and|to|not|half|quarter|plus|minus|oder|und|bis|nicht|kein|ou|et|pas|sin|o|y)(?![a-z])',
  'i',
)
const INITIAL = /^[a-z]\.\s/i

/**
 * Open for "1 - Open" and "Open (1)", or 1 where the list has the codes; null where it has both, and where
 * the label is the name of another option.
 */
function withoutCode(
  byCase: ReadonlyMap<string, string | null>,
  text: string,
  { optionNamed }: OptionNames,
): string | null {
  const found = codeAndLabel(text)
  if (found === null) return null
  const { code, label } = found
  const [ofCode, ofLabel] = [byCase.get(foldedCase(code)), byCase.get(foldedCase(label))]
  // F - Male. The digits of such codes mean nothing: 1 may be No.
  if (!/\d/.test(code) && isOpposite(code, label)) return null
  if (ofCode === undefined) return (optionNamed(code) ?? ofLabel) === ofLabel ? (ofLabel ?? null) : null
  if ((optionNamed(label) ?? ofCode) !== ofCode) return null
  return ofLabel !== undefined || CHANGES_CODE.test(label) || INITIAL.test(text) ? null : ofCode
}

/** Zürich for Z?rich: each ? stands for one letter beyond ASCII. null where no option or several fit. */
function withLostLetters(options: readonly string[], text: string): string | null {
  if (!text.includes('?') || !/\p{L}/u.test(text)) return null
  const parts = foldedCase(text)
    .split('?')
    .map((part) => RegExp.escape(part))
  const pattern = new RegExp(`^${parts.join('[^\\p{ASCII}]')}$`, 'u')
  return only(options.filter((option) => pattern.test(foldedCase(option))))
}

/** Not 1,000 and 1.000, which may be a thousand. */
const NUMBER = /^\d+(?:[.,](?!\d{3}$)\d+)?$/
const numberOf = (text: string): number => (NUMBER.test(text) ? Number(text.replace(',', '.')) : NaN)

/** 1.0 and 01 for 1, and 0,5 for 0.5. */
function numberVariant(options: readonly string[], text: string): string | null {
  const number = numberOf(text)
  return only(options.filter((option) => numberOf(option) === number))
}

/** Of words that a description does not contradict: with "F = father", female is not F. */
function synonymOf(options: readonly string[], text: string, names: OptionNames): string | null {
  if (options.length > 6) return null
  const word = text.toLowerCase()
  const meanings = pairOf(options).filter((words) => words.has(word))
  const named = meanings.flatMap((words) => [...words].flatMap((other) => names.optionNamed(other) ?? []))
  if (named.length > 0) return only([...new Set(named)])
  const meant = meanings.flatMap((words) =>
    options.filter((option) => words.has(option.toLowerCase()) && isMeaning(names.meaningOf(option), words)),
  )
  return only([...new Set(meant)])
}

const isMeaning = (described: string, words: ReadonlySet<string>): boolean =>
  described === '' ||
  described
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .some((word) => words.has(word))

/** Words one letter from Yes and No that people write on purpose; ano is yes in Czech. */
const NEITHER_YES_NOR_NO = /^(?:now|not|nor|nov|new|non|know|yet|eyes|to|so|do|go|ano)$/i

/** Whether two words have other meanings: on is no slip for No. F is false as well as female. */
function isOpposite(one: string, other: string): boolean {
  if (NEITHER_YES_NOR_NO.test(one) && /^(?:yes|no)$/i.test(other)) return true
  const meanings = (text: string) => SYNONYMS.filter((words) => words.has(text.toLowerCase()))
  const [own, others] = [meanings(one), meanings(other)]
  return own.length > 0 && others.length > 0 && !own.some((meaning) => others.includes(meaning))
}

/** Opposite groups of which a list has exactly one word each. */
const PAIRS: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [SYNONYMS[0], SYNONYMS[1]],
  [SYNONYMS[2], SYNONYMS[3]],
]

/**
 * The two groups of words of a list that is one of `PAIRS`, else none. 'f' is false as well as female: in a
 * list of M and F, neither 0 nor no is F.
 */
function pairOf(options: readonly string[]): readonly ReadonlySet<string>[] {
  const words = options.map((option) => option.toLowerCase())
  const has = (group: ReadonlySet<string>) => words.filter((word) => group.has(word)).length === 1
  const pairs = PAIRS.filter(([one, other]) => has(one) && has(other))
  return pairs.length === 1 ? pairs[0] : []
}

/** 'Prof.' for 'Professional', where no other option begins so or is near: gray may be Grey, too. */
function abbreviated(options: readonly string[], text: string, nearest: NearestOption): string | null {
  const start = text.replace(/\.$/, '').toLowerCase()
  if (start.length < 3 || /[\d\s.,;:/-]/.test(start)) return null
  const option = only(options.filter((one) => one.toLowerCase().startsWith(start)))
  return option === null || nearest.hasOther(start, option) ? null : option
}

/** Mar is near to May, but may be short for March: null where another option begins so. */
function orAbbreviated(options: readonly string[], text: string, nearest: string): string | null {
  const start = text.replace(/\.$/, '').toLowerCase()
  const begun = options.filter((option) => option.toLowerCase().startsWith(start))
  if (begun.length === 0) return nearest
  return begun.includes(nearest) && (begun.length === 1 || start.length > 2) ? nearest : null
}

const only = (options: readonly string[]): string | null => (options.length === 1 ? options[0] : null)
