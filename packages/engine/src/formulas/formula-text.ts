import { clipText } from '#formats/spreadsheet/write-cells.ts'
import { composed } from '#rules/composed.ts'
import forms from './formula-forms.json' with { type: 'json' }

export const NEVER = 'FALSE'
export const ALWAYS = 'TRUE'
/** Only the engine knows. An error: conditional formats do nothing at it, whatever else a formula asks. */
export const UNKNOWN = 'NA()'
/** The same, where formulas cannot say what a dictionary asks. */
export const BEYOND = '(NA())'
export const isPartial = (formula: string): boolean => formula.includes(BEYOND)
/** Excel's limit on the length of a formula, less the characters by which ours begin. */
const MAX_FORMULA = 8192 - 32
export const fitting = (formula: string): string => (formula.length > MAX_FORMULA ? BEYOND : formula)

/** The parts of a form; `cell` is the reference of a cell, such as `$A2`. */
export type Parts = Readonly<Record<string, string | number>>

/**
 * In braces are parts, or names of other formulas. They compute the same in every country and in LibreOffice,
 * since they neither read nor write a number with decimals as text.
 */
export function say(name: keyof typeof forms, parts: Parts): string {
  return forms[name][0].replaceAll(/\{(\w+)\}/g, (_, part: keyof typeof forms) =>
    String(parts[part] ?? say(part, parts)),
  )
}

/** Whether a value is surely wrong, by what holds only of right ones, and what then only of wrong ones. */
export const isWrong = (right: string, wrong: string): string =>
  choice(right, NEVER, choice(wrong, ALWAYS, UNKNOWN))

export const not = (formula: string): string =>
  formula === NEVER ? ALWAYS : formula === ALWAYS ? NEVER : `NOT(${formula})`

/** Without what changes nothing, and without the rest where one formula decides. */
export function joined(name: 'AND' | 'OR', formulas: readonly string[]): string {
  const [decisive, neutral] = name === 'AND' ? [NEVER, ALWAYS] : [ALWAYS, NEVER]
  const counting = [...new Set(formulas)].filter((formula) => formula !== neutral)
  if (counting.includes(decisive)) return decisive
  return counting.length > 1 ? `${name}(${counting.join(',')})` : (counting[0] ?? neutral)
}

/** Not written where both come to the same, or where the condition is none. */
export function choice(condition: string, yes: string, no: string = NEVER): string {
  if (yes === no || condition === ALWAYS) return yes
  return condition === NEVER ? no : `IF(${condition},${yes},${no})`
}

/** Excel's limit on the length of a text in a formula. */
const MAX_LITERAL = 255

/** A text as formulas write it; a long one in pieces. */
export function literal(text: string): string {
  const pieces: string[] = []
  for (let rest = text; rest !== ''; rest = rest.slice(pieces.at(-1)!.length))
    pieces.push(clipText(rest, MAX_LITERAL))
  const quoted = pieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join('&')
  // In pieces, because programs disagree on whether it stands for a character in a formula.
  return quoted === '' ? '""' : quoted.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_"&"')
}

/** A number as every program reads it in a formula, without the zeros of a very small or large one. */
export const numeral = (value: number): string => String(value).toUpperCase()

const characters = (first: number, last: number): string =>
  String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, index) => first + index))

/** Each counts as one, and NFC neither changes nor composes them: ASCII, Latin letters with accents. */
const plain = literal(characters(0x20, 0x7e) + characters(0xc0, 0x17f))
const MAX_COUNTED = 99

/** How many plain characters the beginning of a text has. */
export const plainCount = (cell: string, most: number): string => say('plainCount', { cell, plain, most })
export const isPlain = (cell: string): string => say('isPlain', { cell, plain, most: MAX_COUNTED })

/** Whether a text is one of these, letter by letter. */
export function isOneOf(text: string, texts: readonly string[]): string {
  const mark = ['|', ';', '~', '^'].find((one) => !texts.some((other) => other.includes(one))) ?? '\ue000'
  const found = `ISNUMBER(FIND("${mark}"&${text}&"${mark}",${literal(mark + texts.join(mark) + mark)}))`
  return `AND(ISERROR(FIND("${mark}",${text})),${found})`
}

/** Whether a text is none of some items, which are the same with their accents composed or not. */
export function isNoItem(cell: string, given: readonly string[]): string {
  const items = given.map((item) => item.trim()).filter((item) => item !== '')
  if (items.length === 0) return ALWAYS
  const isAscii = items.every((item) => /^[\0-\x7f]*$/.test(item))
  const isListed = isOneOf(cell, [...new Set(items.flatMap((item) => [item, composed(item)]))])
  return isWrong(isListed, isAscii ? say('hasOwnForm', { cell }) : isPlain(cell))
}
