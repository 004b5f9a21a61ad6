import type { Rule } from '@veridict/contract/model/rule'
import { CURRENCY_NAMES } from '#causes/diagnose-number.ts'
import { unitNamed } from '#causes/unit-names.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { isPlaceholder } from '#likeness/clean-text.ts'
import { FIRST_RECORDS, type SourceRow, type TableSource } from '#source/table-source.ts'
import headingWords from '#known/heading-words.json' with { type: 'json' }

const LONGEST_CELL = 60

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Words that say what a column holds, or whether it must hold something. */
const WORDS = setOf(headingWords.words)
/** The same, but a text may well be one of these. */
const WORDS_OF_RULES = setOf(headingWords.ofRules)
const FILLERS = setOf(headingWords.fillers)
const PART_OF_DATE = /^(?:d{1,2}|m{1,4}|y{2,4}|t{2}|j{2,4}|a{2,4}|h{2}|s{2})$/

/** Units that numbers have only in headings: behind a number a K may be a thousand, and a J a letter. */
const UNITS = setOf(headingWords.units)

const BRACKETS = /^(?:\((.*)\)|\[(.*)\]|<(.*)>|\{(.*)\})$/
/** Written before or behind a number, without digits but those of a power. */
const LIKE_UNIT = /^[^\d\s](?:\D|(?<=[A-Za-z])\d(?!\d))*$/

/**
 * The last row below the heading that is no record: each cell is blank or describes its column by type or
 * unit, or as mandatory. 0 for none, also where all first records are such: then these are values.
 */
export async function findSecondHeadings(
  table: Pick<TableSource, 'firstRecords'>,
  columns: readonly ColumnCheck[],
): Promise<number> {
  const isRecord = ({ cells }: SourceRow) => !describesColumns(cells, columns)
  let records: readonly SourceRow[] = []
  try {
    records = await table.firstRecords(isRecord)
  } catch (error) {
    // The validation finds it again, and says in which line it is.
    if (!(error instanceof FileProblemError)) throw error
  }
  const count = records.findIndex(isRecord)
  if (count < 0) return records.length < FIRST_RECORDS ? (records.at(-1)?.rowNumber ?? 0) : 0
  return count === 0 ? 0 : records[count - 1].rowNumber
}

/** What a cell is by its text. 'open': blank, or what may describe its column and may be a value. */
type CellRole = 'value' | 'open' | 'description'

/** Whether no cell is a value, and one describes its column that the column would not accept as a value. */
function describesColumns(cells: readonly string[], columns: readonly ColumnCheck[]): boolean {
  let isSure = false
  for (const [column, cell] of cells.entries()) {
    const rule = columns[column]?.field?.rule
    const role = roleOf(cell.trim(), rule)
    if (role === 'value') return false
    if (role === 'description' && columns[column].check(cell) !== null) isSure = true
  }
  return isSure
}

function roleOf(cell: string, rule: Rule | undefined): CellRole {
  if (cell === '' || isPlaceholder(cell)) return 'open'
  if (rule === undefined || cell.length > LONGEST_CELL || isOption(cell, rule)) return 'value'
  const bracketed = BRACKETS.exec(cell)
  const text = (bracketed?.slice(1).find((inner) => inner !== undefined) ?? cell).trim()
  if (text === '' || isPlaceholder(text)) return 'open'
  if (isOfWords(text.toLowerCase(), rule)) return 'description'
  if (rule.type === 'number' && !/^[+-]?\d/.test(text) && isUnit(text)) return 'description'
  if ((bracketed === null && rule.type !== 'number') || !LIKE_UNIT.test(text)) return 'value'
  return bracketed !== null && rule.type === 'number' ? 'description' : 'open'
}

const isOption = (cell: string, rule: Rule): boolean =>
  rule.type === 'list' && rule.options.some((option) => option.toLowerCase() === cell.toLowerCase())

/** "text (50)", "decimal number", "mandatory" … In a column of dates also their format alone. */
function isOfWords(text: string, rule: Rule): boolean {
  const isWord = (word: string) => WORDS.has(word) || (rule.type !== 'text' && WORDS_OF_RULES.has(word))
  const words = text
    .replace(/[([{<].*?[)\]}>]/g, ' ')
    .split(/[\s,;:|+&*._<>=≥≤-]+|(?<![a-z])\/|\/(?![a-z])/)
    .flatMap((word) => (isWord(word) ? [word] : word.split('/')))
    .filter((word) => word !== '')
  const isFormat = rule.type === 'date' && text.length > 3 && words.every((word) => PART_OF_DATE.test(word))
  const isFiller = (word: string, index: number) =>
    FILLERS.has(word) || PART_OF_DATE.test(word) || (index > 0 && /^\d+$/.test(word))
  return (
    isFormat || (words.some(isWord) && words.every((word, index) => isWord(word) || isFiller(word, index)))
  )
}

/** "kg", "EUR/MWh", "W/m2", "in %" … */
const isUnit = (text: string): boolean =>
  text
    .replace(/^in /i, '')
    .split(/[\s/*·×^]+/)
    .every((part) => {
      const name = part.replace(/[²³⁻¹\d.]+$/, '')
      return (
        UNITS.has(name) ||
        unitNamed(part) !== undefined ||
        unitNamed(name) !== undefined ||
        Object.hasOwn(CURRENCY_NAMES, name.toLowerCase())
      )
    })
