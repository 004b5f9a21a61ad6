import copied from '#output/copied-content.json' with { type: 'json' }

/** Excel's limit on the length of a formula. */
const MAX_FORMULA = 8192

/** Functions that compute from cells and texts. Any other may load, run or name something outside. */
const FUNCTIONS: ReadonlySet<string> = new Set(copied.functions)

const TEXT = /"(?:[^"]|"")*"/
/** Characters of names of files and programs. Sheets cannot have them, but a hostile workbook may. */
const OUTSIDE = /[[\]:\\/?*|]/
/** A character as programs may write it (ST_Xstring), which could be any of the others. */
const ESCAPED = /_x[0-9a-f]{4}_/i
const QUOTED_SHEET = /'((?:[^']|'')*)'!/
/** A function, a sheet, a cell or a name. */
const NAME = /([\p{L}_][\p{L}\p{N}_.]*)\s*([(!])?/u
const ERROR = /#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)/
const OTHER = /[\d\s.$+\-*/^&=<>%,;:(){}]/
const TOKEN = new RegExp([TEXT, QUOTED_SHEET, NAME, ERROR, OTHER].map(({ source }) => source).join('|'), 'uy')

/**
 * Whether a formula only computes from cells of the same workbook, whose sheets `hasSheet` knows. Anything
 * unusual is not plain: brackets and unknown sheets name other files, and `|` starts programs.
 */
export function isPlainFormula(formula: string, hasSheet: (name: string) => boolean): boolean {
  if (formula.length > MAX_FORMULA || ESCAPED.test(formula)) return false
  const isSheet = (name: string) => !OUTSIDE.test(name) && hasSheet(name)
  for (let at = 0; at < formula.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(formula)
    if (found === null) return false
    const [, quotedSheet, name, follows] = found
    if (quotedSheet !== undefined && !isSheet(quotedSheet.replaceAll("''", "'"))) return false
    if (follows === '!' && !hasSheet(name)) return false
    if (follows === '(' && !FUNCTIONS.has(name.toUpperCase())) return false
  }
  return true
}
