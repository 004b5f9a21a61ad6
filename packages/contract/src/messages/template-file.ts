import { writeCount } from '#notation/count.ts'

/** Words of the blank workbook that people fill in. The reader takes its first sheet. Ours. */
export const templateSheets = { data: 'Data', guide: 'Guide', lists: 'Lists' } as const

export const templateFileName = (dictionary: string): string => `${dictionary}_template.xlsx`

/** Author of the notes at the headings. Not the portal, whose notes an error file removes. */
export const templateNoteAuthor = 'Data dictionary'

export const needNames = { required: 'Required', optional: 'May be empty' } as const

const columns = (count: number) => (count === 1 ? 'one column' : `${writeCount(count)} columns`)
const those = (required: number) => (required === 0 ? 'none' : writeCount(required))

export const templateTexts = {
  noFields: 'The data dictionary has no fields yet, so there is nothing to fill in.',
  tooManyFields: (limit: number) =>
    `A worksheet has room for ${writeCount(limit)} columns; the data dictionary has more fields.`,
  expected: (sentence: string) => `Expected: ${sentence}`,
  category: (name: string) => `Category: ${name}`,
  exempt: 'Rows that no rule checks, in which required cells may be empty',
  blank: 'Counts as blank',
  summary: (fields: number, required: number) =>
    `A template with ${columns(fields)}, ${those(required)} of them required.`,
} as const

/** What workbooks say of values that spreadsheet programs check, and of those that they do not. */
export const livingTexts = {
  /** Of messages about input. Later copies recognize the portal's rules by it. */
  title: 'Data dictionary',
  expected: (sentence: string) => `Expected: ${sentence}`,
  form: 'The form of the values.',
  checkDigit: 'The check digit.',
  several: 'The values: a cell may hold several.',
  longList: 'The values: the list is too long for a formula.',
  unknownHeadings: ['Col.', 'Field', 'Checked after the upload only'],
  /** The name of the sheet in copies of uploaded files, and its first line. */
  about: 'About this file',
  howChecked: [
    'Values are checked while they are typed: a cell that is surely wrong turns red.',
    'A cell that was refused is red, and is shown plain once its value is surely right.',
    'Everything is checked once more after an upload.',
  ],
} as const

/** How a template is filled in, step by step. */
export const templateSteps = [
  `Write on the sheet ${templateSheets.data}, one row for each record, from row 2 on. Leave the ` +
    'headings and their order as they are.',
  'Columns with a dark red heading are required; cells below the light ones may be empty.',
  'Cells keep what is typed, leading zeros too. Write dates and numbers as the table below expects them.',
  'When you copy from elsewhere, paste values only, so that drop-downs and formats stay.',
  'What is surely wrong turns red at once; a table below says what is checked after the upload only.',
  'Save the workbook as .xlsx and upload it. Everything is checked there once more, and whatever ' +
    'is wrong is named cell by cell.',
] as const

/** Above the rules between cells, in the same columns. */
export const templateRuleHeadings = [
  '',
  'Rule',
  'Severity',
  'In force from',
  'What must hold',
  'Description',
  '',
] as const

export const templateGuideHeadings = [
  'Col.',
  'Field',
  'Needed',
  'Type',
  'Expected',
  'Description',
  'Category',
] as const
