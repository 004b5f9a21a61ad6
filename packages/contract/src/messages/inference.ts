import { counted, writeCount } from '#notation/count.ts'

/** Why a proposed field has its type, and what to check. `example` is always a value of the file. Ours. */
const listOf = (texts: readonly string[]) => new Intl.ListFormat('en').format(texts)

/** 'All 1,204 values are dates like …', or 'The only value, …, is a date': one row is no proof. */
function allAre(count: number, example: string, many: string, one: string): string {
  if (count === 1) return `The only value, ${example}, is ${one}`
  return `${count === 2 ? 'Both' : `All ${writeCount(count)}`} values are ${many} like ${example}`
}

const nearly =
  (many: string, type: string) => (count: number, others: number, example: string, rowNumber: number) =>
    `${writeCount(count)} values are ${many} and ${writeCount(others)} not, like '${example}' in row ` +
    `${rowNumber}. If those are mistakes, choose ${type}.`

export const inferenceReasons = {
  onlyErrors: (count: number) =>
    `The column holds nothing but ${counted(count, 'cell')} with errors, so nothing is known of its values.`,
  blank: 'The column is empty in this file, so nothing is known of its values.',

  dates: (count: number, example: string) => `${allAre(count, example, 'dates', 'a date')}.`,
  trueDates: (count: number) =>
    `${counted(count, 'cell')} with true dates of the workbook, accepted however displayed. The format ` +
    'counts where dates are text, as in CSV.',
  someTrueDates: (count: number) =>
    `${writeCount(count)} of them ${count === 1 ? 'is a true date' : 'are true dates'} of the ` +
    'workbook, accepted however displayed.',
  dayFirst: 'Days above 12 show that the day comes first.',
  monthFirst: 'Days above 12 show that the month comes first.',
  ambiguous: (chosen: string, rivals: readonly string[]) =>
    `${listOf([chosen, ...rivals])} ${rivals.length === 1 ? 'both' : 'all'} fit; choose one.`,

  wholeNumbers: (count: number, example: string) =>
    `${allAre(count, example, 'whole numbers', 'a whole number')}.`,
  decimals: (count: number, example: string, scale: number) =>
    `${allAre(count, example, 'numbers', 'a number')}, with at most ${counted(scale, 'decimal')}.`,
  leadingZeros: (example: string) =>
    `Digits with leading zeros, like ${example}, are codes rather than numbers.`,
  longNumbers: (length: number, example: string) =>
    `Up to ${counted(length, 'digit')}, like ${example}: identifiers rather than numbers, and more than a ` +
    'spreadsheet can calculate with.',
  phoneNumbers: (example: string) =>
    `Digits after a '+', like ${example}, are phone numbers rather than numbers.`,

  checkDigit: (count: number, scheme: string, example: string, isEnough: boolean) =>
    `${allAre(count, example, 'codes with a check digit that fits', 'a code')} (${scheme})` +
    `${isEnough ? '' : ', too few to demand it'}.`,
  form: (count: number, example: string) => `${allAre(count, example, 'codes of one form', 'a code')}.`,
  /** `isForm`: whether the form of the values shows it, not the name. */
  key: (isForm: boolean) =>
    `No value occurs twice, and ${isForm ? 'their form' : 'the name'} says identifier: a rule keeps them ` +
    'unique.',

  list: (count: number, distinct: number) =>
    `Only ${writeCount(distinct)} different values in ${counted(count, 'cell')}.`,
  choice: (options: readonly string[]) => `Nothing but ${options.join(' and ')}.`,
  sameButCase: (one: string, other: string) =>
    `'${one}' and '${other}' differ in letter case only: one of them may be a slip.`,

  decimalComma: (example: string) =>
    `Numbers with a comma, like ${example}. The type Number takes '.' as the decimal separator ` +
    'and no grouping, so this is a text.',
  quantities: (example: string) =>
    `Times, percentages, or numbers with grouping or a currency, like ${example}. The type Number takes ` +
    "digits and '.' alone, and Date days alone, so this is a text.",
  mixedDates: (example: string, other: string) =>
    `Dates, but no single format fits them all: ${example} and ${other}, for example.`,
  nearlyNumbers: nearly('numbers', 'Number'),
  nearlyDates: nearly('dates', 'Date'),
  fixedLength: (count: number, length: number, example: string) => {
    const exactly = `of exactly ${counted(length, 'character')}`
    return `${allAre(count, example, `texts ${exactly}`, `a text ${exactly}`)}.`
  },
  text: (shortest: number, longest: number) =>
    shortest === longest
      ? `Text of ${counted(longest, 'character')}.`
      : `Text of ${writeCount(shortest)} to ${counted(longest, 'character')}.`,
} as const

export const inferenceMessages = {
  notPossible:
    'No fields could be proposed from this file. Please try again with fewer rows, or add the ' +
    'fields by hand.',
} as const

export const inferenceNotes = {
  noRows: 'The file has a header and no rows below it, so every field is proposed as a text.',
  blankLabel: (position: string, name: string) =>
    `Column ${position} has no label in the file. It is proposed as '${name}'; the files need ` +
    'that label before they fit the data dictionary.',
  duplicateLabel: (position: string, label: string, name: string) =>
    `Column ${position} carries the label '${label}' once more. It is proposed as '${name}'; the ` +
    'files need that label before they fit the data dictionary.',
  cutLabel: (position: string, maximum: number) =>
    `The label of column ${position} is longer than ${writeCount(maximum)} characters and was cut.`,
  moreLabels: (count: number) =>
    `${writeCount(count)} more labels had to be changed. Is the first row the header?`,
  /** What a column without a label is called. */
  columnName: (position: string) => `Column ${position}`,
  irregularRows: (count: number, rowNumber: number) =>
    count === 1
      ? `Row ${rowNumber} has more or fewer cells than the header; it will be an error of the file.`
      : `${writeCount(count)} rows, the first of them row ${rowNumber}, have more or fewer ` +
        'cells than the header; they will be errors of the file.',
  moreErrorColumns: (count: number) => `${writeCount(count)} more columns have cells with errors.`,
  errorCells: (name: string, count: number, example: string, rowNumber: number) =>
    `'${name}' has ${counted(count, 'cell')} with an error like ${example}, the first in row ` +
    `${rowNumber}. No type accepts those.`,
} as const
