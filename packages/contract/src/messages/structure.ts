import { columnLetter } from '#notation/column-letter.ts'
import { counted } from '#notation/count.ts'
import { listed } from './file-problems.ts'

/** What the sentences of a structure name: column names, or rows. */
export type StructureFacts = {
  /** Column names in quotes; of `columnsRenamed` with their new names. */
  names: readonly string[]
  firstRow: number
  rows: number
}
export type StructureSentences = {
  message: (facts: StructureFacts) => string
  /** What a person who does not use the copy does in a spreadsheet. */
  advice: string
  /** Asked where it is not certain, or data would be lost. Absent for what always is certain. */
  question?: (facts: StructureFacts) => string
}

const columns = (names: readonly string[]) => (names.length === 1 ? 'column' : 'columns')
const rowRange = ({ firstRow, rows }: StructureFacts) =>
  rows === 1 ? `row ${firstRow}` : `rows ${firstRow} to ${firstRow + rows - 1}`

/** Causes of the structure of a table. Ours. */
export const structureSentences = {
  headingMissing: {
    message: () => 'The heading row is missing: the first row holds values.',
    advice: 'Insert a row above the first one, with the column names of the data dictionary in their order.',
    question: ({ firstRow }) =>
      `Are the columns in the order of the data dictionary, and is row ${firstRow} the first record?`,
  },
  titleRows: {
    message: (facts) =>
      'The column names are not in the first row: above them ' +
      `${facts.rows === 1 ? 'is' : 'are'} ${rowRange(facts)}.`,
    advice: 'Delete the rows above the column names.',
    question: (facts) => `Are ${rowRange(facts)} no records, so that the copy can leave them out?`,
  },
  columnsRenamed: {
    message: ({ names }) =>
      `The file has other names for ${counted(names.length, 'column')}: ${listed(names)}.`,
    advice: 'Type the names of the data dictionary into the heading row.',
    question: ({ names }) =>
      names.length === 1
        ? `Which column of the data dictionary is ${names[0]}?`
        : `Which columns of the data dictionary are ${names.length > 3 ? 'these' : listed(names)}?`,
  },
  columnOrder: {
    message: () => 'The columns are in another order than in the data dictionary.',
    advice: 'Move the columns into the order of the data dictionary.',
  },
  columnsExtra: {
    message: ({ names }) => `The data dictionary has no such ${columns(names)}: ${listed(names)}.`,
    advice: 'Delete these columns, if they are not wanted.',
    question: ({ names }) => `Leave out the ${columns(names)} ${listed(names)} with all values?`,
  },
  delimiter: {
    message: () => 'The heading row and the rows below it are separated by different characters.',
    advice: 'Replace the separators in the heading row by those of the rows.',
  },
  otherSheet: {
    message: ({ names }) => `The columns of the data dictionary are on another sheet: ${listed(names)}.`,
    advice: 'Move that sheet to the first place, and upload the file again.',
    question: () => 'Which sheet holds the data?',
  },
  encoding: {
    message: () => 'The file is written in an older code page, so that its letters are not certain.',
    advice: 'Save it as "CSV UTF-8 (Comma delimited)" in the program that it comes from.',
    question: () => 'In which of these are all letters right?',
  },
  columnsMissing: {
    message: ({ names }) => `The file lacks the ${columns(names)} ${listed(names)}.`,
    advice: 'Insert what is missing, and fill in the values.',
    question: ({ names }) =>
      `Does the file hold no values for ${listed(names)}, so that empty cells are right?`,
  },
} satisfies Record<string, StructureSentences>

/** Where columns of the file may be some that it lacks. */
export const unknownColumns = (names: readonly string[]): string =>
  `The file lacks columns, and has others that the data dictionary does not have: ${listed(names)}.`

/** What a column without a name is called. */
export const columnName = (column: number): string => `column ${columnLetter(column)}`

/** Of a value that may have been divided because it holds the delimiter. */
export const joinQuestion = (text: string, row: number): string =>
  `Are two cells of row ${row} one value, "${text}"?`

/** Of rows that lack nearly all values. `texts`: what the first one of them has. */
export const emptyRowsQuestion = (row: number, texts: readonly string[], rows: number): string =>
  `Can ${rows === 1 ? `row ${row}` : `${counted(rows, 'row')} from row ${row} on`}` +
  `${texts.length === 0 ? '' : ` ("${texts.join('", "')}")`} be left out, because ` +
  `${rows === 1 ? 'it is no record' : 'they are no records'}?`

/** Of values that a list does not have. */
export const listQuestion = (values: readonly string[]): string =>
  `Which items of the list are ${listed(values.slice(0, 3).map((value) => `"${value}"`))}` +
  `${values.length > 3 ? ' and the others' : ''}?`

/** The answer that changes nothing. */
export const KEEP_ANSWER = 'keep'

/** The answers to the questions above: the first one changes the copy, the second one does not. */
export const structureAnswers: Partial<Record<string, Readonly<Record<string, string>>>> = {
  headingMissing: { insert: 'Insert the column names', [KEEP_ANSWER]: 'Leave the file without them' },
  titleRows: { remove: 'Leave these rows out', [KEEP_ANSWER]: 'Keep them' },
  columnsExtra: { remove: 'Leave these columns out', [KEEP_ANSWER]: 'Keep them' },
  columnsMissing: { add: 'Add empty columns', [KEEP_ANSWER]: 'Add nothing' },
  nearlyEmpty: { remove: 'Leave them out', [KEEP_ANSWER]: 'Keep them' },
  shiftedRows: { join: 'Join such cells', [KEEP_ANSWER]: 'Leave them as they are' },
}

/** What is asked about cells that have a meaning or a form which only a person knows, by kind of cause. */
export const cellQuestions: Partial<
  Record<string, { question: string; answers: Readonly<Record<string, string>> }>
> = {
  dateAmbiguous: {
    question: 'Are these dates written day first or month first?',
    answers: { dayFirst: 'Day first', monthFirst: 'Month first' },
  },
  lostZeros: {
    question: 'Did these values begin with zeros that are missing now?',
    answers: { pad: 'Put the zeros back', [KEEP_ANSWER]: 'Leave them as they are' },
  },
  prefix: {
    question: 'Is what these values have to begin with missing?',
    answers: { prefix: 'Put it back', [KEEP_ANSWER]: 'Leave them as they are' },
  },
}

/** What an answer to a question of a kind says; a code page or sheet says its name. */
export const answerLabel = (kind: string, choice: string): string =>
  structureAnswers[kind]?.[choice] ??
  Object.values(cellQuestions).find((asked) => asked?.answers[choice] !== undefined)?.answers[choice] ??
  choice

/** Why a call to correct a file is refused. */
export const correctionRefusals = {
  noAnswer: (text: string) => `'${text}' is no answer.`,
  needsAnswer: (id: string) => `The cause '${id}' needs an answer, with --choose or --map.`,
  noQuestion: (id: string) => `The cause '${id}' has no question that can be answered this way.`,
  unknownAnswer: (id: string, value: string) => `'${value}' is no answer for the cause '${id}'.`,
} as const
