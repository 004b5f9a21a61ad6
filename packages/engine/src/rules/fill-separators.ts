import { BEYOND_ASCII, type CharacterSet, parsePattern, type PatternNode } from '#rules/pattern-syntax.ts'

/** A character of a matching text: a separator that is always the same, or one of a set. */
type Place = string | CharacterSet

/** A longer form is none that people fill in. */
const LONGEST_FORM = 40
const SEPARATORS = ' -./():_,'

export type SeparatorFiller = {
  /**
   * Puts letters and digits between the separators of the pattern: 555-1234 for 5551234. null if they do not
   * fit, or the pattern has no separators in fixed places.
   */
  fill(characters: string): string | null
  /** What every text that matches begins with, as far as the pattern has it character by character. */
  readonly prefix: string
  /** False where the letters and digits of a text, or their capitals, surely do not fill the pattern. */
  mayFill: (text: string) => boolean
}

export function separatorFiller(pattern: string): SeparatorFiller {
  const root = parsePattern(pattern)?.root
  const form = (root && formOf(root)) ?? []
  const prefix = root ? prefixOf(root) : ''
  if (!form.some(isSeparator)) return { fill: () => null, prefix, mayFill: () => false }
  const places = form.filter((place): place is CharacterSet => !isSeparator(place))
  return {
    fill(characters) {
      const fits = (place: CharacterSet, index: number) => place[characters.charCodeAt(index)] === 1
      if (characters.length !== places.length || !places.every(fits)) return null
      let at = 0
      return form.map((place) => (isSeparator(place) ? place : characters[at++])).join('')
    },
    prefix,
    mayFill(text) {
      let index = 0
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (!IS_WORD[code]) continue
        if (index === places.length) return false
        const place = places[index++]
        if (place[code] !== 1 && (code < 0x61 || place[code - CASE] !== 1)) return false
      }
      return index === places.length
    },
  }
}

/** Of a capital letter to its small one. */
const CASE = 0x20

const isSeparator = (place: Place): place is string => typeof place === 'string'

/** Digits, and letters of ASCII. */
const IS_WORD = new Uint8Array(0x100).fill(1, 0x30, 0x3a).fill(1, 0x41, 0x5b).fill(1, 0x61, 0x7b)

/** The form that all texts have which match; null where they differ in length, or are too long. */
function formOf(node: PatternNode): Place[] | null {
  switch (node.kind) {
    case 'set':
      return [placeOf(node.set)]
    case 'choice':
      return null
    case 'sequence':
      return joined(node.parts.map(formOf))
    case 'repeat':
      return node.least === node.most && node.most <= LONGEST_FORM
        ? joined(Array(node.most).fill(formOf(node.part)))
        : null
  }
}

function joined(forms: readonly (Place[] | null)[]): Place[] | null {
  const whole = forms.flatMap((form) => form ?? [])
  return forms.includes(null) || whole.length > LONGEST_FORM ? null : whole
}

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
