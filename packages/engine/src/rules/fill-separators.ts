import { BEYOND_ASCII, type CharacterSet, parsePattern, type PatternNode } from '#rules/pattern-syntax.ts'

/** A character of a matching text: a separator that is always the same, or one of a set. */
type Place = string | CharacterSet
type Form = readonly Place[]

/** A pattern with more or longer forms is no fixed form. */
const MOST_FORMS = 16
const LONGEST_FORM = 40
const SEPARATORS = ' -./():_,'

export type SeparatorFiller = {
  /**
   * Puts letters and digits between the separators of the pattern: 555-1234 for 5551234. Gives all texts that
   * match; none for a pattern without fixed separators or of no fixed length.
   */
  fill(characters: string): string[]
  /** What every text that matches begins with, as far as the pattern has it character by character. */
  readonly prefix: string
  /** False where the letters and digits of a text, or their capitals, surely do not fill the pattern. */
  mayFill: (text: string) => boolean
}

export function separatorFiller(pattern: string): SeparatorFiller {
  const parsed = parsePattern(pattern)
  const forms = (parsed === null ? null : formsOf(parsed.root)) ?? []
  const prefix = parsed === null ? '' : prefixOf(parsed.root)
  if (!forms.some((form) => form.some(isSeparator))) return { fill: () => [], prefix, mayFill: () => false }
  /** The places of each form that are no separators, by their number. */
  const byCount: CharacterSet[][][] = Array.from({ length: LONGEST_FORM + 1 }, () => [])
  for (const form of forms) {
    const places = form.filter((place): place is CharacterSet => !isSeparator(place))
    byCount[places.length].push(places)
  }
  return {
    fill: (characters) => [
      ...new Set(forms.map((form) => filled(form, characters)).filter((text) => text !== null)),
    ],
    prefix,
    mayFill(text) {
      let count = 0
      for (let at = 0; at < text.length; at++) count += IS_WORD[text.charCodeAt(at)]
      return (
        count <= LONGEST_FORM &&
        byCount[count].length > 0 &&
        byCount[count].some((places) => mayBeIn(places, text))
      )
    },
  }
}

/** Whether the letters and digits of a text, or their capitals, have these places. */
function mayBeIn(places: readonly CharacterSet[], text: string): boolean {
  let index = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (IS_WORD[code] === 0) continue
    const place = places[index++]
    if (place[code] !== 1 && (code < 0x61 || place[code - CASE] !== 1)) return false
  }
  return true
}

/** Of a capital letter to its small one. */
const CASE = 0x20

const isSeparator = (place: Place): place is string => typeof place === 'string'

const IS_WORD = Uint8Array.from({ length: 0x100 }, (_, byte) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

/** All forms of the texts that match; null where there are too many. */
function formsOf(node: PatternNode): Form[] | null {
  switch (node.kind) {
    case 'set':
      return [[placeOf(node.set)]]
    case 'choice':
      return limited(node.options.reduce<Form[] | null>((all, option) => also(all, formsOf(option)), []))
    case 'sequence':
      return node.parts.reduce<Form[] | null>((all, part) => followed(all, formsOf(part)), [[]])
    case 'repeat':
      return repeated(node.part, node.least, node.most)
  }
}

function repeated(part: PatternNode, least: number, most: number): Form[] | null {
  if (most > LONGEST_FORM) return null
  const ofPart = formsOf(part)
  let last: Form[] | null = [[]]
  let all: Form[] | null = least === 0 ? [[]] : []
  for (let count = 1; count <= most; count++) {
    last = followed(last, ofPart)
    if (count >= least) all = limited(also(all, last))
    if (last === null || all === null) return null
  }
  return all
}

const also = (one: Form[] | null, other: Form[] | null): Form[] | null =>
  one === null || other === null ? null : [...one, ...other]

const followed = (one: Form[] | null, other: Form[] | null): Form[] | null =>
  one === null || other === null || one.length * other.length > MOST_FORMS
    ? null
    : limited(one.flatMap((start) => other.map((end) => [...start, ...end])))

const limited = (forms: Form[] | null): Form[] | null =>
  forms === null || forms.length > MOST_FORMS || forms.some(({ length }) => length > LONGEST_FORM)
    ? null
    : forms

/** The only character of a set; '' where it has several. */
function onlyCharacter(set: CharacterSet): string {
  const code = set.indexOf(1)
  const isOnly = code >= 0 && code < BEYOND_ASCII && set.indexOf(1, code + 1) < 0
  return isOnly ? String.fromCharCode(code) : ''
}

function placeOf(set: CharacterSet): Place {
  const text = onlyCharacter(set)
  return text !== '' && SEPARATORS.includes(text) ? text : set
}

function prefixOf(node: PatternNode): string {
  const parts = node.kind === 'sequence' ? node.parts : []
  const characters = parts.map((part) => (part.kind === 'set' ? onlyCharacter(part.set) : ''))
  const end = characters.indexOf('')
  return characters.slice(0, end < 0 ? undefined : end).join('')
}

/** The characters in the places of a form; null if they do not fit. */
function filled(form: Form, characters: string): string | null {
  let text = ''
  let at = 0
  for (const place of form) {
    if (isSeparator(place)) text += place
    else if (at < characters.length && place[characters.charCodeAt(at)] === 1) text += characters[at++]
    else return null
  }
  return at === characters.length ? text : null
}
