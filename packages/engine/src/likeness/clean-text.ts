import { invisible } from '@veridict/contract/notation/invisible'
import placeholders from '#known/placeholders.json' with { type: 'json' }

const INVISIBLE = new RegExp(`[${invisible}]`, 'g')
/** The end of a line as workbooks write it, at the end of a text. */
const LINE_END = /^_[xX]000[aAdD]_$/
const LINE_END_LENGTH = '_x000D_'.length
const ODD_SPACE = /[^\S ]+|\s{2,}/g
/** Without the flag i, with which [^\S ] stands for all cases: V8 needs 0.3 ms to compile it. */
const HAS_ODD_SPACE = new RegExp(`[${invisible}]|[^\\S ]|\\s\\s|_[xX]000[aAdD]_$`)

/** Without invisible characters, and with single ordinary spaces. The same text if nothing is odd. */
export const withPlainSpaces = (text: string): string =>
  HAS_ODD_SPACE.test(text)
    ? withoutLineEnds(text.replace(INVISIBLE, '')).replace(ODD_SPACE, ' ').trim()
    : text

/** Without an expression, which would try a row of them from each of its parts. */
function withoutLineEnds(text: string): string {
  let end = text.length
  while (LINE_END.test(text.slice(Math.max(0, end - LINE_END_LENGTH), end))) end -= LINE_END_LENGTH
  return text.slice(0, end)
}

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '\u201c': '\u201d',
  '\u201e': '\u201c',
  '\u2018': '\u2019',
  '\u00ab': '\u00bb',
}

/** Also without the apostrophe with which spreadsheets mark a text, and ="…". The same if there are none. */
export function withoutQuotes(text: string): string {
  let inner = text.startsWith('="') && text.endsWith('"') ? text.slice(1) : text
  const closing = CLOSING[inner[0]]
  if (closing === undefined) return text
  while (inner.length > 1 && CLOSING[inner[0]] !== undefined && inner.endsWith(CLOSING[inner[0]]))
    inner = inner.slice(1, -1).trim()
  if (inner[0] === "'" && !inner.slice(1).includes("'")) inner = inner.slice(1).trim()
  return inner === '' ? text : inner
}

/** Without commas, semicolons, full stops and spaces at the end. */
export function withoutEndSigns(text: string): string {
  let end = text.length
  while (end > 0 && END_SIGNS.includes(text[end - 1])) end--
  return text.slice(0, end)
}
const END_SIGNS = ';,. '

const PLACEHOLDERS: ReadonlySet<string> = new Set(placeholders)
const LONGEST_PLACEHOLDER = 16
/** Of a capital letter to its small one. */
const CASE = 0x20

/** By first character of ASCII and length: it excludes nearly all values without a lookup of their text. */
let placeholdersByStart: (string[] | undefined)[] | undefined
const startOf = (first: number, length: number) => first * (LONGEST_PLACEHOLDER + 1) + length

/** For the first bad value: 54 kB are much for a file that has none. */
function divideByStart(): (string[] | undefined)[] {
  const byStart = Array<string[] | undefined>(0x80 * (LONGEST_PLACEHOLDER + 1)).fill(undefined)
  for (const text of PLACEHOLDERS)
    for (const first of [text.charCodeAt(0), text.toUpperCase().charCodeAt(0)])
      if (first < 0x80) (byStart[startOf(first, text.length)] ??= []).push(text)
  return byStart
}

/** Whether a text with these characters of ASCII at its ends, and of this length, may be a placeholder. */
export function mayBePlaceholder(first: number, last: number, length: number): boolean {
  if (length > LONGEST_PLACEHOLDER) return false
  const likely = (placeholdersByStart ??= divideByStart())[startOf(first, length)]
  if (likely === undefined) return false
  if (last > 0x7f) return true
  for (let index = 0; index < likely.length; index++) {
    const end = likely[index].charCodeAt(length - 1)
    if (last === end || last + CASE === end) return true
  }
  return false
}

/** Whether a text only says that there is no value. */
export function isPlaceholder(text: string): boolean {
  return text.length <= LONGEST_PLACEHOLDER && PLACEHOLDERS.has(text.toLowerCase())
}

/** Signs that a column is too narrow for its value, in a file that was saved as it was shown. */
export const isHashes = (text: string): boolean => text.startsWith('##') && /^#{2,}$/.test(text)

const SHEET_ERROR = /^#(?:REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/i

/** Whether a text is the error of a formula, such as #REF!. */
export const isSheetError = (text: string): boolean => text.startsWith('#') && SHEET_ERROR.test(text)

/** As R writes 100,000, without a loss of digits: 1e+05. */
export const isRoundNumber = (text: string): boolean => /^[1-9]e\+0\d$/.test(text)

/** As Excel shows a long number: 1.2E+05. Its other digits are lost. */
export const isShortenedNumber = (text: string): boolean => /^-?\d(?:[.,]\d{1,5})?E\+\d{2,3}$/.test(text)
