import { fieldMessages } from './fields.ts'
import { ruleTypeNames } from '#model/rule.ts'

/**
 * Words of a dictionary as a workbook: its sheets, its headings, and the guide that goes with it.
 * See docs/BEHAVIOUR.md#dictionary-workbook.
 */
export const dictionarySheets = { fields: 'Fields', guide: 'Guide' } as const

/** Headings of the sheet of fields, in order. */
export const dictionaryColumns = {
  name: 'Field name',
  description: 'Description',
  category: 'Category',
  type: 'Type',
  canBeEmpty: 'Can be empty',
  identifiesRow: fieldMessages.identifiesRow,
  minLength: 'Min length',
  maxLength: 'Max length',
  scale: 'Scale',
  minimum: 'Min',
  maximum: 'Max',
  format: 'Date format',
  pattern: 'Regular expression',
  options: 'List values',
} as const
export type DictionaryColumn = keyof typeof dictionaryColumns

/**
 * A list that is longer than a cell continues in columns after the last one, headed "List values 2" and so
 * on. `number` counts from 2.
 */
export const furtherOptionsColumn = (number: number): string => `${dictionaryColumns.options} ${number}`

/** What stands in the columns that answer a question. */
export const flagNames = { yes: 'Yes', no: 'No' } as const

const typeNames = Object.values(ruleTypeNames)

/** What the guide says of each heading: what it means, and an example. */
export const dictionaryGuide: Readonly<
  Record<DictionaryColumn, readonly [meaning: string, example: string]>
> = {
  name: [
    'Required. The label that the column of an uploaded file must carry. ' +
      'Each name once; case and spaces at the ends do not matter.',
    'Birth Date',
  ],
  description: [
    'What the field holds, for the people who fill it in. It is shown with errors of a regular expression.',
    'Date of birth of the insured person',
  ],
  category: ['A group of your own, or nothing.', 'Person'],
  type: [`Required. One of ${typeNames.join(', ')}.`, ruleTypeNames.date],
  canBeEmpty: ['Yes, or No when every row must have a value. Nothing means No.', flagNames.no],
  identifiesRow: [
    'Yes for a case number, a month and the like: reports show its value beside the number of each row ' +
      'with errors. Nothing means No. It does not change what is an error.',
    flagNames.no,
  ],
  minLength: ['Text only: the fewest characters, 0 to 500, or nothing.', '1'],
  maxLength: ['Text only: the most characters, 1 to 500, or nothing.', '40'],
  scale: ['Number only: the most digits after the decimal point; 0 for whole numbers, nothing for any.', '2'],
  minimum: ['Number only: the smallest number allowed, or nothing.', '0'],
  maximum: ['Number only: the largest number allowed, or nothing.', '100000'],
  format: [
    'Date only, required there: day (d, dd), month (M, MM) and year (yy, yyyy), separated by / . or -.',
    'dd/MM/yyyy',
  ],
  pattern: ['Regular expression only, required there: the whole value must match it.', '[A-Z]{2}-[0-9]{4}'],
  options: [
    'Item from a list only, required there: the allowed values, one per line of the cell (Alt+Enter).',
    'Open\nClosed',
  ],
}

export const dictionaryGuideHeadings = ['Column', 'What it means', 'Example'] as const
