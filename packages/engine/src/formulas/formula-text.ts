import { clipText } from '#formats/spreadsheet/write-cells.ts'

export const NEVER = 'FALSE'
export const ALWAYS = 'TRUE'
/** Only the engine knows. An error: conditional formats do nothing at it, whatever else a formula asks. */
export const UNKNOWN = 'NA()'

/** Whether a value is surely wrong, by what holds only of right ones, and what then only of wrong ones. */
export const isWrong = (right: string, wrong: string): string =>
  `IF(${right},${NEVER},IF(${wrong},${ALWAYS},${UNKNOWN}))`

/** Without what changes nothing, and without the rest where one formula decides. */
export function joined(name: 'AND' | 'OR', formulas: readonly string[]): string {
  const [decisive, neutral] = name === 'AND' ? [NEVER, ALWAYS] : [ALWAYS, NEVER]
  const counting = [...new Set(formulas)].filter((formula) => formula !== neutral)
  if (counting.includes(decisive)) return decisive
  return counting.length > 1 ? `${name}(${counting.join(',')})` : (counting[0] ?? neutral)
}

/** Not written where both come to the same. */
export const choice = (condition: string, yes: string, no: string = NEVER): string =>
  yes === no ? yes : `IF(${condition},${yes},${no})`

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

/**
 * Characters that count as one each, and that NFC neither changes nor composes with each other: ASCII, and
 * Latin letters with accents.
 */
const PLAIN = literal(characters(0x20, 0x7e) + characters(0xc0, 0x17f))

/** What trimming removes; programs that read XML may change the control characters among it. */
const WHITE_SPACE = [
  literal(` \u00A0\u1680${characters(0x2000, 0x200a)}\u2028\u2029\u202F\u205F\u3000\uFEFF`),
  ...[9, 10, 11, 12, 13].map((code) => `CHAR(${code})`),
].join('&')

/** Whether a text that is not empty neither begins nor ends with white space. */
export const isTrimmed = (text: string): string =>
  `AND(ISERROR(FIND(LEFT(${text}),${WHITE_SPACE})),ISERROR(FIND(RIGHT(${text}),${WHITE_SPACE})))`

/** Whether a cell is blank. Of other white space than spaces it does not know. */
export const isBlank = (cell: string): string => `TRIM(SUBSTITUTE(${cell},"\u00A0"," "))=""`

/** Whether any cell of a range is surely not blank. */
export const isAnyFilled = (range: string): string =>
  `SUMPRODUCT(--ISERROR(FIND(LEFT(${range}&" "),${WHITE_SPACE})))>0`

/** The numbers from 1 on. Deleted rows make it shorter, and inserted ones longer. */
const numbers = (count: number): string => `ROW($1:$${count})`
const MAX_COUNTED = 99

/**
 * How many plain characters the beginning of a text has: the whole text has at least so many characters,
 * however they are written.
 */
export const plainCount = (text: string, most = MAX_COUNTED): string =>
  `SUMPRODUCT((${numbers(most)}<=LEN(${text}))*ISNUMBER(FIND(MID(${text},${numbers(most)},1),${PLAIN})))`

/** Whether a text has no other form. Of long ones it does not know. */
export const isPlain = (text: string): string =>
  `AND(LEN(${text})<=ROWS($1:$${MAX_COUNTED}),${plainCount(text)}=LEN(${text}))`

/** Whether a text is one of these, letter by letter. */
export function isOneOf(text: string, texts: readonly string[]): string {
  const mark = ['|', ';', '~', '^'].find((one) => !texts.some((other) => other.includes(one))) ?? '\n'
  const found = `ISNUMBER(FIND("${mark}"&${text}&"${mark}",${literal(mark + texts.join(mark) + mark)}))`
  return `AND(ISERROR(FIND("${mark}",${text})),${found})`
}

/** Whether a text has no characters but digits; an empty one has none. */
export const isDigits = (text: string): string =>
  `LEN(${[...'0123456789'].reduce((rest, digit) => `SUBSTITUTE(${rest},${digit},"")`, text)})=0`

/**
 * Spreadsheets do not tell a date from a number; only of number formats it is known which they are.
 * LibreOffice has its own word for the general format, so a cell that is never used says what it is.
 */
const UNUSED_CELL = '$AMJ$1048576'
const format = (cell: string): string => `CELL("format",${cell})`
export const isShownAsNumber = (cell: string): string =>
  `OR(${format(cell)}=${format(UNUSED_CELL)},${isSurelyNumber(cell)})`
/** Excel may have the word for the general format for dates of a format that it has no word for, too. */
export const isSurelyNumber = (cell: string): string => `ISNUMBER(FIND(LEFT(${format(cell)}),"F,CPS"))`
export const isShownAsDate = (cell: string): string => `ISNUMBER(FIND(LEFT(${format(cell)},2),"D1D2D3D4D5"))`
