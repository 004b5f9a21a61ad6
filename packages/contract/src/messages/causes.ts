import type { CauseExample, CauseKind } from '#model/cause.ts'
import type { Field } from '#model/field.ts'
import { writeCount } from '#notation/count.ts'

/** What is known of a cause, for its sentences. */
export type CauseFacts = {
  kind: CauseKind
  /** A date format, a unit or a currency, by kind; 'both' or 'mixed' where the column contradicts itself. */
  detail: string
  /** The field's name; '' for whole rows and cells beyond the header. */
  label: string
  /** The names of swapped columns; none for other causes. */
  labels: readonly string[]
  field: Field | null
  /** What would be right, a sentence without a full stop. */
  expected: string
  cells: number
  rows: number
  firstRow: number
  /** Rows of the file. */
  recordsCount: number
  /** Cells that have a suggestion. */
  suggestions: number
  /** Further values of the column that pass with a wrong meaning. */
  passed: number
  /** Whether these are dates that a spreadsheet made of texts, with day and month swapped. */
  isMisread: boolean
  /** For texts, the shortest and longest length, and the beginning and end that all have in common. */
  extent: { shortest: number; longest: number; prefix: string; suffix: string } | null
  examples: readonly CauseExample[]
}

type Sentences = {
  message: (facts: CauseFacts) => string
  advice: (facts: CauseFacts) => string
}

const counted = (count: number, one: string, many = `${one}s`) =>
  `${writeCount(count)} ${count === 1 ? one : many}`
const isAre = (count: number) => (count === 1 ? 'is' : 'are')
const isInMostRows = ({ rows, recordsCount }: CauseFacts) => rows > recordsCount / 2
const named = (label: string) => `"${label}"`

/** 'All 500 values of "Date" are', 'Both values … are', '12 values … are', '1 value of "Date" is'. */
function valuesAre({ cells, recordsCount, label }: CauseFacts): string {
  if (cells > 1 && cells === recordsCount)
    return `${cells === 2 ? 'Both' : `All ${writeCount(cells)}`} values of ${named(label)} are`
  return `${counted(cells, 'value')} of ${named(label)} ${isAre(cells)}`
}

const oneOf = ({ cells }: CauseFacts, one: string, many: string) => (cells === 1 ? one : many)

function valuesHave(facts: CauseFacts): string {
  return valuesAre(facts).replace(/ are$/, ' have').replace(/ is$/, ' has')
}

const select = ({ label }: CauseFacts) => `Select the column ${named(label)}`
function replaceAll(facts: CauseFacts, [first, ...others]: readonly string[]): string {
  const further = others.length === 0 ? '' : `, then ${others.join(' and ')} in the same way`
  return (
    `${select(facts)}, open Home > Find & Select > Replace, find ${first} and replace it with ` +
    `nothing${further}.`
  )
}
/** The signs of the quotes around the examples, as they are typed into the box. */
function quotesOf({ examples }: CauseFacts): string[] {
  const around = examples.flatMap(({ value }) => value.trim().match(/^[="'`“„‘«]+|["'`“”’»]+$/g) ?? [])
  const signs = [...new Set(around.join(''))]
  return signs.length === 0 ? ['the quote'] : signs
}
const TRIMMED = '=TRIM(CLEAN(SUBSTITUTE(cell,CHAR(160)," ")))'
/** TRIM leaves one space between two words, or between the groups of a number. */
const NO_SPACES = '=SUBSTITUTE(SUBSTITUTE(CLEAN(cell),CHAR(160),"")," ","")'

/** Whether the spaces inside the values must go, too. */
function isWithoutSpaces({ examples }: CauseFacts): boolean {
  const corrected = examples.filter(({ suggestion }) => suggestion !== null)
  return (
    corrected.some(({ value }) => /\S\s+\S/.test(value)) &&
    corrected.every(({ suggestion }) => !/\s/.test(suggestion!))
  )
}

/** A longer value is no text for a box of a dialog. */
const LONGEST_FOUND = 60

/** Names the first value to replace. Without "entire cell contents", x for Yes would change each x. */
function replaceEach(facts: CauseFacts, choices = 'Match entire cell contents'): string {
  const example = correctedExample(facts)
  if (example === undefined || example.value.length > LONGEST_FOUND) return lookAt(facts)
  const { value, suggestion, count } = example
  const others = facts.cells > (count ?? 1) ? ', then the other values in the same way' : ''
  return (
    `${select(facts)}, open Home > Find & Select > Replace, choose ${choices}, find ` +
    `${value.trim()} and replace it with ${suggestion}${others}.`
  )
}
/** Shows how one value would be right. */
function writeInForm(facts: CauseFacts, what: string): string {
  const example = correctedExample(facts)
  return example === undefined
    ? lookAt(facts)
    : `Write ${what}: ${example.suggestion} instead of ${example.value.trim()}.`
}

/** As the dialog needs it: * and ? stand for other characters there, and ~ before them for themselves. */
const found = (sign: string): string => (sign === ' ' ? 'a space' : sign.replace(/[*?~]/, '~$&'))

/** Replaces the signs everywhere in the column where no value is right with them. */
function removeSigns(facts: CauseFacts): string {
  const corrected = facts.examples.filter(({ suggestion }) => suggestion !== null)
  const isOfDigits = corrected.every(({ value, suggestion }) => value.replace(/\D/g, '') === suggestion)
  if (!isOfDigits || corrected.length === 0) return replaceEach(facts)
  const signs = [...new Set(corrected.map(({ value }) => value.trim().replace(/\d/g, '')).join(''))]
  const steps = replaceAll(facts, signs.map(found)).replace(`${select(facts)}, open`, 'Then open')
  return `${select(facts)} and set Format Cells > Number > Text, so that no leading zero is lost. ${steps}`
}

const isOfDigits = (facts: CauseFacts): boolean => !/[A-Za-z]/.test(correctedExample(facts)?.value ?? '')

/** A spreadsheet writes the signs into digits; more than 15 of them are no number for it. */
function addSeparators(facts: CauseFacts): string {
  const { value = '', suggestion = '' } = correctedExample(facts) ?? {}
  const formula =
    /^\d{1,15}$/.test(value.trim()) && /^[\d() -]+$/.test(suggestion ?? '')
      ? `TEXT(cell,"${suggestion!.replace(/\d/g, '0')}")`
      : withOneSign(value.trim(), suggestion ?? '')
  return formula === null
    ? writeInForm(facts, 'them in the required form')
    : `Put =${formula} into a free column beside ` +
        `${named(facts.label)}, fill it down, and paste the results over the column as values.`
}

/** AB-12 for AB12 as a formula; null where more than one sign was added. */
function withOneSign(value: string, suggestion: string): string | null {
  const at = [...value].findIndex((character, index) => character !== suggestion[index])
  return at > 0 && value.slice(0, at) + suggestion[at] + value.slice(at) === suggestion
    ? `LEFT(cell,${at})&"${suggestion[at]}"&MID(cell,${at + 1},99)`
    : null
}

const lookAt = (facts: CauseFacts) =>
  `${holdsAnother(facts)}Correct ${oneOf(facts, 'this cell', 'these cells')} by hand. ` +
  `Expected: ${facts.expected}.`

/** A hint where no value of the column fits: it may hold the values of another column. '' elsewhere. */
const holdsAnother = ({ cells, recordsCount, label, suggestions }: CauseFacts) =>
  cells > 1 && cells === recordsCount && suggestions === 0
    ? `Look first whether ${named(label)} holds the values of another column. `
    : ''
const askSource = 'Export the file again from where the data comes from, with this column as text.'

/** Without the number of decimals, a spreadsheet shows two, and writes two into a CSV file. */
function formatNumber(facts: CauseFacts): string {
  const { rule } = facts.field ?? {}
  const hasNoScale = rule?.type === 'number' && rule.scale === undefined
  const decimals = hasNoScale ? '' : ` with ${counted(scaleOf(facts), 'decimal place')}`
  return `${select(facts)} and set Format Cells > Number${decimals}`
}

/** What Data > Text to Columns calls the order of a date format. */
const ORDERS: Readonly<Record<string, string>> = { dMy: 'DMY', Mdy: 'MDY', yMd: 'YMD', ydM: 'YDM' }

function textToColumns(facts: CauseFacts, format: string): string {
  const units = format.replace(/[^dMy]/g, '').replace(/(.)\1*/g, '$1')
  const order = ORDERS[units]
  const steps = order === undefined ? 'Finish' : `Next > Next > Date: ${order} > Finish`
  const ofNames = format.includes('MMM') ? ' Excel reads the names of months only in its own language.' : ''
  return (
    `${select(facts)}, choose Data > Text to Columns > ${steps}. ` +
    `Then set Format Cells > Number > Custom to ${excelFormat(ruleFormat(facts))}.${ofNames}`
  )
}

const ruleFormat = ({ field }: CauseFacts) => (field?.rule.type === 'date' ? field.rule.format : '')
const excelFormat = (format: string) => format.toLowerCase()

const passWrong = ({ passed, label }: CauseFacts) =>
  `${counted(passed, 'other value')} of ${named(label)} ` +
  `${passed === 1 ? 'passes' : 'pass'} with a wrong meaning`

const OTHER_TEXTS = 'Other columns with text may have them too, where no rule can tell.'

/** A sentence about the values that pass with day and month swapped; '' without any. */
const alsoSwapped = (facts: CauseFacts) =>
  facts.passed === 0
    ? ''
    : ` ${passWrong(facts)}: there day and month are swapped as well, but both are at most 12.`

/** A sentence about the dates that a spreadsheet has made of the other texts. */
const alsoMisread = (facts: CauseFacts) =>
  ` ${passWrong(facts)}: a spreadsheet took the day for the month where it could, and left these as text.`

const readAgain = (facts: CauseFacts) =>
  'Do not correct these cells alone. Open the file that you got first with Data > From Text/CSV > ' +
  `Transform Data, choose Change Type > Using Locale > Date for ${named(facts.label)}, and a country whose ` +
  `dates are written ${facts.detail}. That repairs all of its dates.`

/** The advice to correct those values, too; '' without any. */
const correctAlsoSwapped = ({ passed }: CauseFacts) =>
  passed === 0
    ? ''
    : ' The values that pass must be swapped too: correct the whole column, not only these cells.'

/** Whether values of the column prove both of the meanings that others may have. */
const provesBoth = ({ detail }: CauseFacts): boolean => detail === 'both'

const otherVariant: Sentences = {
  message: (facts) => `${valuesAre(facts)} written in another way than required.`,
  advice: replaceEach,
}
/** By detail. */
const variants: Readonly<Record<string, Sentences>> = {
  zeros: {
    message: (facts) => `${valuesHave(facts)} leading zeros that do not belong there.`,
    advice: (facts) =>
      `${select(facts)} and choose Data > Text to Columns > Finish: numbers have no leading zeros.`,
  },
  separators: {
    message: (facts) =>
      `${valuesHave(facts)} other signs between ` +
      `${isOfDigits(facts) ? 'the digits' : 'letters and digits'} than required.`,
    advice: addSeparators,
  },
  time: {
    message: (facts) =>
      `${valuesAre(facts)} ${oneOf(facts, 'a time', 'times')} of day in another form than required.`,
    advice: (facts) => writeInForm(facts, 'each time of day alone, in the required form'),
  },
}

const sentences: { readonly [K in CauseKind]: Sentences } = {
  required: {
    message: ({ cells, recordsCount, label }) =>
      cells === recordsCount
        ? `The column ${named(label)} is empty in ` +
          `${cells === 1 ? 'the only row' : `all ${writeCount(cells)} rows`}.`
        : `${counted(cells, 'cell')} of ${named(label)} ${isAre(cells)} empty.`,
    advice: (facts) =>
      facts.cells === facts.recordsCount
        ? `Copy the values into the column ${named(facts.label)}. If you do not have them, ask the ` +
          'administrator whether the field may be empty.'
        : `Fill in these cells. To find them, select the column ${named(facts.label)} and choose Home > ` +
          'Find & Select > Go To Special > Blanks.' +
          (isInMostRows(facts)
            ? ' Cells that are merged hold a value in the first row only: split them.'
            : ''),
  },
  missingCell: {
    message: ({ cells, label }) =>
      `${counted(cells, 'row')} ${cells === 1 ? 'ends' : 'end'} before ${named(label)}.`,
    advice: () =>
      'Compare these rows with the others: a value or a separator is missing. Fill in the missing cells.',
  },
  extraCell: {
    message: ({ cells }) =>
      `${counted(cells, 'row')} ${cells === 1 ? 'has' : 'have'} a cell outside the columns of the table.`,
    advice: () =>
      'Delete the cells outside the table. If a value was split in two, because it holds the separator, ' +
      'join its parts.',
  },
  errorCell: {
    message: ({ cells, label }) =>
      `${counted(cells, 'cell')} of ${named(label)} ${cells === 1 ? 'holds' : 'hold'} the error of a ` +
      'formula instead of a value.',
    advice: () => 'Correct the formulas, or replace each by its value, and save the file again.',
  },
  notCalculated: {
    message: ({ cells, label }) =>
      `${counted(cells, 'formula')} of ${named(label)} ${cells === 1 ? 'has' : 'have'} no result yet.`,
    advice: () => 'Open the file in Excel and save it, so that its formulas are calculated.',
  },
  hashes: {
    message: (facts) =>
      `${valuesAre(facts)} only ##### signs: the column was too narrow, and the values are lost.`,
    advice: (facts) =>
      `In the workbook that the file was made from, widen the column ${named(facts.label)} (double-click ` +
      'its right border), then save the file again.',
  },
  placeholder: {
    message: (facts) =>
      `${valuesAre(facts)} ${oneOf(facts, 'a placeholder', 'placeholders')} such as ` +
      `"${facts.examples[0]?.value ?? 'N/A'}"` +
      (facts.field?.required ? ', but the field must not be empty.' : '. An empty cell means the same here.'),
    advice: (facts) =>
      facts.field?.required
        ? 'Find the right values: this field needs one in every row, so a placeholder cannot be removed.'
        : `${select(facts)}, open Home > Find & Select > Replace, choose Match entire cell contents, find ` +
          `${facts.examples[0]?.value ?? 'N/A'} and replace it with nothing` +
          (facts.examples.length > 1 ? ', then the other placeholders in the same way.' : '.'),
  },
  quotes: {
    message: (facts) => `${valuesAre(facts)} in quotes, or behind an apostrophe.`,
    advice: (facts) => replaceAll(facts, quotesOf(facts)),
  },
  spaces: {
    message: (facts) => `${valuesHave(facts)} spaces or invisible characters that do not belong there.`,
    advice: (facts) =>
      `Put ${isWithoutSpaces(facts) ? NO_SPACES : TRIMMED} into a free column beside ` +
      `${named(facts.label)}, fill it down, and paste the results over the column as values.`,
  },
  brokenLetters: {
    message: (facts) =>
      facts.detail === 'html'
        ? `${valuesHave(facts)} letters or signs written as on a web page, such as "&amp;" for "&".`
        : facts.detail === 'lost'
          ? `${valuesHave(facts)} "?" for letters that a program could not write. ${OTHER_TEXTS}`
          : `${valuesHave(facts)} broken letters: a program read the text with the wrong encoding. ` +
            OTHER_TEXTS,
    advice: (facts) =>
      facts.detail === 'html'
        ? replaceEach(facts)
        : facts.detail === 'lost'
          ? 'Export the data again, as CSV UTF-8: this file does not have these letters any more. To ' +
            'replace them in Excel, search for ~?, because ? stands for any character.'
          : 'Open the file that you got first with Data > From Text/CSV, set File Origin to 65001: Unicode ' +
            '(UTF-8), and save it as CSV UTF-8 (Comma delimited). That repairs all columns.',
  },
  otherDigits: {
    message: (facts) => `${valuesAre(facts)} written with other digits than 0 to 9.`,
    advice: (facts) =>
      `${select(facts)}, open Home > Find & Select > Replace, and replace each of these digits by the one ` +
      'of 0 to 9 that it stands for.',
  },
  punctuation: {
    message: (facts) => `${valuesHave(facts)} hyphens, brackets or other signs that do not belong there.`,
    advice: removeSigns,
  },
  shiftedRight: {
    message: ({ rows, firstRow }) =>
      `The cells of ${counted(rows, 'row')} stand one column too far right, from row ${firstRow} on.`,
    advice: ({ firstRow }) =>
      `Look at row ${firstRow}, which has one cell too many. If it is the end of the value before it, ` +
      'which a comma or another separator split, join the two. Then delete it with Home > Delete > ' +
      'Delete Cells > Shift cells left, and do the same in the other rows.',
  },
  shiftedLeft: {
    message: ({ rows, firstRow }) =>
      `The cells of ${counted(rows, 'row')} stand one column too far left, from row ${firstRow} on.`,
    advice: ({ firstRow }) =>
      `Look at row ${firstRow}: find the place of the missing cell, insert one with Home > Insert > ` +
      'Insert Cells > Shift cells right, and do the same in the other rows.',
  },
  repeatedHeading: {
    message: ({ rows, firstRow }) =>
      `${counted(rows, 'row')} below the first ${rows === 1 ? 'repeats' : 'repeat'} the column names, ` +
      `${rows === 1 ? 'in' : 'the first in'} row ${firstRow}.`,
    advice: () =>
      'Delete these rows: select a row by its number, then choose Home > Delete > Delete Sheet Rows. Only ' +
      'the first row holds the column names.',
  },
  nearlyEmpty: {
    message: (facts) => {
      const { rows, firstRow } = facts
      const first = `${rows === 1 ? '' : 'the first is '}row ${firstRow}`
      return isInMostRows(facts)
        ? `${counted(rows, 'row')} ${rows === 1 ? 'lacks' : 'lack'} most required values, ${first}.`
        : `${counted(rows, 'row')} ${isAre(rows)} nearly empty, ${first}: perhaps a total or a note.`
    },
    advice: (facts) =>
      isInMostRows(facts)
        ? 'Fill in the empty cells. Where the values are missing in the data itself, ask its source for them.'
        : 'Delete rows that are no records, such as totals and notes: select a row by its number, then ' +
          'choose Home > Delete > Delete Sheet Rows. Fill in the others.',
  },
  swappedColumns: {
    message: ({ labels, rows }) =>
      `The columns ${labels.map(named).join(' and ')} hold each other's values, in ` +
      `${counted(rows, 'row')}.`,
    advice: ({ labels: [one, other] }) =>
      `In the first row, type ${named(one)} over ${named(other)} and ${named(other)} over ${named(one)}. ` +
      'Then move both columns to their right places: select one by its letter, hold Shift, and drag its ' +
      'edge between two other columns.',
  },
  notADate: {
    message: (facts) =>
      `${valuesAre(facts)} not ${oneOf(facts, 'a date', 'dates')} in the format ${ruleFormat(facts)}.`,
    advice: lookAt,
  },
  dateFormat: {
    message: (facts) =>
      `${valuesAre(facts)} written ${facts.detail}.` +
      (facts.isMisread ? alsoMisread(facts) : alsoSwapped(facts)),
    advice: (facts) =>
      facts.isMisread ? readAgain(facts) : textToColumns(facts, facts.detail) + correctAlsoSwapped(facts),
  },
  dateOrder: {
    message: (facts) => `${valuesAre(facts)} written ${facts.detail}.`,
    advice: (facts) => textToColumns(facts, facts.detail),
  },
  dateAmbiguous: {
    message: (facts) =>
      `${valuesAre(facts)} written so that day and month could be either way round` +
      (provesBoth(facts)
        ? ', and the column has dates of both orders.'
        : ', and no value of the column shows which comes first.'),
    advice: (facts) =>
      'Find out where these dates come from and which comes first, the day or the month. Then write them ' +
      `like ${facts.expected.replace(/^a date like /, '')}.`,
  },
  dateSwapped: {
    message: (facts) => `${valuesHave(facts)} day and month swapped.${alsoSwapped(facts)}`,
    advice: (facts) =>
      textToColumns(
        facts,
        ruleFormat(facts).replace(/d+|M+/g, (unit) => (unit[0] === 'd' ? 'M' : 'd')),
      ) + correctAlsoSwapped(facts),
  },
  dateImpossible: {
    message: (facts) => `${valuesAre(facts)} ${oneOf(facts, 'a day', 'days')} that no calendar has.`,
    advice: () => 'Look up the right dates: the day or the month is too large, as in 31 February.',
  },
  dateShortYear: {
    message: (facts) =>
      `${valuesHave(facts)} a year of two digits that could be ` +
      (facts.detail === 'place' ? 'the first number or the last one.' : 'in the 1900s or in the 2000s.'),
    advice: (facts) =>
      facts.detail === 'place'
        ? 'Find out whether these dates begin with the year or end with it, and write the years with four ' +
          'digits.'
        : 'Write the years with four digits.',
  },
  timeOfDay: {
    message: (facts) =>
      facts.detail === 'zone'
        ? `${valuesHave(facts)} a time of day in another time zone, where it may be another day.`
        : `${valuesHave(facts)} a time of day behind the date.`,
    advice: (facts) =>
      facts.detail === 'zone'
        ? 'Export the file again with the dates of your own time zone. Do not only cut off the time: what ' +
          'is left may be the day before or the day after.'
        : `Put =INT(cell) into a free column beside ${named(facts.label)}, fill it down, paste the results ` +
          'over the column as values, and set Format Cells > Number > Custom to ' +
          `${excelFormat(ruleFormat(facts))}.`,
  },
  excelSerial: {
    message: (facts) =>
      `${valuesAre(facts)} ${oneOf(facts, 'a number', 'numbers')} with which Excel counts days: the date ` +
      'format was lost.',
    advice: (facts) =>
      `${select(facts)} and set Format Cells > Number > Custom to ${excelFormat(ruleFormat(facts))}, then ` +
      'save again.',
  },
  notANumber: {
    message: (facts) => `${valuesAre(facts)} not ${oneOf(facts, 'a number', 'numbers')}.`,
    advice: lookAt,
  },
  numberTooSmall: {
    message: (facts) =>
      `${valuesAre(facts)} below ` +
      `${facts.field?.rule.type === 'number' ? facts.field.rule.minimum : 'the minimum'}.`,
    advice: lookAt,
  },
  numberTooLarge: {
    message: (facts) =>
      `${valuesAre(facts)} above ` +
      `${facts.field?.rule.type === 'number' ? facts.field.rule.maximum : 'the maximum'}.`,
    advice: lookAt,
  },
  tooManyDecimals: {
    message: (facts) => {
      const scale = scaleOf(facts)
      return scale === 0
        ? `${valuesHave(facts)} decimals, but only whole numbers are allowed.`
        : `${valuesHave(facts)} more than ${counted(scale, 'decimal')}.`
    },
    advice: (facts) =>
      `Round these numbers if that is allowed: put =ROUND(cell,${scaleOf(facts)}) into a free column, fill ` +
      'it down, and paste the results over the column as values.',
  },
  decimalComma: {
    message: (facts) => `${valuesAre(facts)} written with a decimal comma instead of a point.`,
    advice: (facts) =>
      `${select(facts)}, choose Data > Text to Columns > Next > Next > Advanced, set the decimal separator ` +
      'to a comma and the thousands separator to what these values have between their thousands ' +
      '(if nothing, to a space), then OK > Finish.',
  },
  thousands: {
    message: (facts) => `${valuesAre(facts)} written with a separator between the thousands.`,
    advice: (facts) =>
      `${formatNumber(facts)} and without Use 1000 Separator, then save again. Where the cells are texts, ` +
      'replace the separator with nothing.',
  },
  numberOpen: {
    message: (facts) =>
      `${valuesHave(facts)} ` +
      (facts.detail === 'point' ? 'a point that could be a decimal point' : OPEN_COMMA) +
      ' or a separator between thousands' +
      (provesBoth(facts) ? ': the column has both.' : ', and no other value of the column shows which.'),
    advice: () =>
      'Find out which of the two is meant, and write the numbers without separators and with a decimal ' +
      'point.',
  },
  currency: {
    message: (facts) =>
      facts.detail === 'mixed'
        ? `${valuesAre(facts)} written with a currency, and not all with the same one.`
        : `${valuesAre(facts)} written with the currency ${facts.detail}.`,
    advice: (facts) =>
      facts.detail === 'mixed'
        ? 'Convert the amounts to one currency, and write them as plain numbers.'
        : `${formatNumber(facts)}, then save again. Where the cells are texts, replace ` +
          `${currencyOf(facts)} with nothing.`,
  },
  unit: {
    message: (facts) =>
      facts.detail === 'mixed'
        ? `${valuesAre(facts)} written with units, and not all with the same one.`
        : `${valuesAre(facts)} written with the unit "${unitOf(facts)}".`,
    advice: (facts) =>
      facts.detail === 'mixed'
        ? 'Convert the values to one unit, and write them as plain numbers.'
        : replaceAll(facts, unitsOf(facts)),
  },
  percent: {
    message: (facts) => `${valuesAre(facts)} written with a per cent sign.`,
    advice: (facts) =>
      facts.suggestions > 0
        ? `Write plain numbers: ${correctedExample(facts)?.suggestion ?? facts.expected} instead of ` +
          `${correctedExample(facts)?.value ?? 'the percentage'}.${openPercentages(facts)}`
        : 'Find out whether 12.5% must be written 12.5 or 0.125: the rule of the field does not show it.',
  },
  negative: {
    message: (facts) =>
      `${valuesAre(facts)} negative, but written in brackets or with another sign than a hyphen in front.`,
    advice: (facts) => {
      const value = correctedExample(facts)?.value.trim() ?? ''
      if (value.endsWith('-'))
        return (
          `${select(facts)}, choose Data > Text to Columns > Next > Next > Advanced, set the decimal and ` +
          'the thousands separator to those of these values, choose Trailing minus for negative numbers, ' +
          'then OK > Finish.'
        )
      return /^[\u2212\u2013]/.test(value)
        ? `${select(facts)}, open Home > Find & Select > Replace, find ${value[0]} and replace it with a ` +
            'hyphen.'
        : `${formatNumber(facts)} and the negative form -1234.10, then save again.`
    },
  },
  numberForm: {
    message: (facts) => `${valuesAre(facts)} written in an unusual form instead of as plain numbers.`,
    advice: (facts) => writeInForm(facts, 'plain numbers'),
  },
  exponent: {
    message: (facts) => `${valuesAre(facts)} written with an exponent.`,
    advice: (facts) => `${formatNumber(facts)}, then save again.`,
  },
  floatNoise: {
    message: (facts) => `${valuesHave(facts)} meaningless last digits, left by a calculation.`,
    advice: (facts) =>
      `Put =ROUND(cell,${scaleOf(facts)}) into a free column, fill it down, and paste the results over the ` +
      'column as values.',
  },
  trailingZeros: {
    message: (facts) => `${valuesHave(facts)} zeros behind the point that are not allowed.`,
    advice: (facts) => `${formatNumber(facts)}, then save again.`,
  },
  shortenedNumber: {
    message: (facts) =>
      `${valuesAre(facts)} shortened by Excel, such as ${facts.examples[0]?.value ?? '1.2E+05'}: digits ` +
      'are lost.',
    advice: () => askSource,
  },
  notInList: {
    message: (facts) => `${valuesAre(facts)} not in the list.`,
    advice: (facts) =>
      `${holdsAnother(facts)}Replace them. Expected: ${facts.expected}. ` +
      'If a value is right, ask the administrator to add it to the list.',
  },
  misspelt: {
    message: (facts) => `${valuesAre(facts)} misspelt.`,
    advice: (facts) => replaceEach(facts),
  },
  letterCase: {
    message: (facts) => `${valuesAre(facts)} written in other letter case.`,
    advice: (facts) =>
      facts.field?.rule.type === 'list'
        ? replaceEach(facts, 'Match case and Match entire cell contents')
        : `Put ${isInCapitals(facts) ? '=UPPER(cell)' : '=LOWER(cell)'} into a free column beside ` +
          `${named(facts.label)}, fill it down, and paste the results over the column as values.`,
  },
  variant: {
    message: (facts) => (variants[facts.detail] ?? otherVariant).message(facts),
    advice: (facts) => (variants[facts.detail] ?? otherVariant).advice(facts),
  },
  textTooShort: {
    message: (facts) => `${valuesAre(facts)} too short.`,
    advice: lookAt,
  },
  textTooLong: {
    message: (facts) => `${valuesAre(facts)} too long${excess(facts)}.`,
    advice: (facts) =>
      sharedPart(facts) === ''
        ? lookAt(facts)
        : `If ${sharedPart(facts)} does not belong to the value: ` +
          `${lowerFirst(replaceAll(facts, [sharedPart(facts)]))}`,
  },
  cutText: {
    message: (facts) =>
      `${valuesHave(facts)} a length at which old versions of Excel cut texts: their ends are lost.`,
    advice: () => askSource,
  },
  lostZeros: {
    message: (facts) => `${valuesHave(facts)} too few digits: Excel drops leading zeros.`,
    advice: (facts) =>
      `Put =TEXT(cell,"${'0'.repeat(facts.examples[0]?.suggestion?.length ?? 5)}") into a free column ` +
      `beside ${named(facts.label)}, fill it down, and paste the results over the column as values.`,
  },
  codeAsDate: {
    message: (facts) =>
      `${valuesAre(facts)} ` +
      oneOf(
        facts,
        'a code that Excel turned into a date: the code is lost.',
        'codes that Excel turned into dates: the codes are lost.',
      ),
    advice: () => askSource,
  },
  patternMismatch: {
    message: (facts) =>
      `${valuesHave(facts)} another form than required` +
      (facts.field?.description ? `: ${facts.field.description.replace(/\.$/, '')}.` : '.'),
    advice: lookAt,
  },
}

const correctedExample = ({ examples }: CauseFacts) => examples.find(({ suggestion }) => suggestion !== null)

const isInCapitals = (facts: CauseFacts): boolean => {
  const suggestion = correctedExample(facts)?.suggestion ?? ''
  return suggestion === suggestion.toUpperCase()
}

function openPercentages({ cells, suggestions }: CauseFacts): string {
  const count = cells - suggestions
  if (count === 0) return ''
  return (
    ` ${counted(count, 'other value')} ${count === 1 ? 'has' : 'have'} no certain number, as 1% may be 1 ` +
    `or 0.01: correct ${count === 1 ? 'it' : 'them'} by hand.`
  )
}

const OPEN_COMMA = 'a comma that could be a decimal comma'

const scaleOf = ({ field }: CauseFacts): number => (field?.rule.type === 'number' && field.rule.scale) || 0

/** As the file writes it: the detail EUR is €, too. */
const currencyOf = ({ examples }: CauseFacts): string =>
  /[^-+\d\s.,()'\u2019]{1,8}\.?/.exec(examples[0]?.value ?? '')?.[0] ?? 'the currency'

/** A number and the unit behind it: 5 kg, 5 m2, 5 fl oz. */
const WITH_UNIT = /^[-+\d.,'\s]*\d\s*(?<unit>[^-+\d.,'\s]+(?:\s(?:oz|m|ft|ounces?)(?![A-Za-z]))?2?(?:\.$)?)/i

/** As the file writes it: the detail is one name for units, unit and pcs. */
const unitIn = (value: string): string | undefined => WITH_UNIT.exec(value)?.groups!.unit

const unitOf = ({ detail, examples }: CauseFacts): string => unitIn(examples[0]?.value ?? '') ?? detail

/** As the examples write it, without regard to case, as the dialog finds it; kgs before kg, its beginning. */
function unitsOf(facts: CauseFacts): string[] {
  const units = new Map<string, string>()
  for (const { value } of facts.examples) {
    const unit = unitIn(value) ?? facts.detail
    if (!units.has(unit.toLowerCase())) units.set(unit.toLowerCase(), unit)
  }
  return [...units.values()].sort((one, other) => other.length - one.length)
}

const lowerFirst = (text: string) => text[0].toLowerCase() + text.slice(1)

/** ' by 3 characters', where all are too long by the same. */
function excess({ extent, field, cells }: CauseFacts): string {
  if (extent === null || field?.rule.type !== 'text' || cells < 2 || extent.shortest !== extent.longest)
    return ''
  const by = extent.shortest - (field.rule.maxLength ?? 0)
  return by > 0 ? ` by ${counted(by, 'character')} each` : ''
}

/** What all texts begin or end with, if they would be short enough without it. */
function sharedPart({ extent, field, cells, examples }: CauseFacts): string {
  if (extent === null || field?.rule.type !== 'text' || cells < 3) return ''
  const { prefix, suffix, longest } = extent
  // The dialog would also replace it where it stands a second time.
  const isOnce = (part: string) => examples.every(({ value }) => value.split(part).length <= 2)
  const fits = (part: string) =>
    part.trim() !== '' &&
    longest - part.length <= (field.rule as { maxLength?: number }).maxLength! &&
    isOnce(part)
  // "KST-" of KST-CC9045 and KST-CC6742: what is too much ends at a separator.
  const atSeparator = [prefix.replace(/[^\s:/_.-]+$/, ''), suffix.replace(/^[^\s:/_.-]+/, '')]
  const part = [...atSeparator, prefix, suffix].find((text) => text.length < extent.shortest && fits(text))
  return part === undefined ? '' : `"${part}"`
}

/** What is wrong with the cells of a cause. Ours. */
export const causeMessage = (facts: CauseFacts): string => sentences[facts.kind].message(facts)

/** What to do in a spreadsheet. Ours. */
export const causeAdvice = (facts: CauseFacts): string => sentences[facts.kind].advice(facts)
