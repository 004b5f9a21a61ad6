import { dictionarySheets } from '#messages/dictionary-file.ts'
import { writeCount } from '#notation/count.ts'

/**
 * Sentences about a dictionary's workbook that cannot be imported, one per bad cell.
 * See docs/BEHAVIOUR.md#dictionary-workbook.
 */
export const dictionaryImportMessages = {
  at: (rowNumber: number, column: string, problem: string) => `Row ${rowNumber}, ${column}: ${problem}`,
  notOneOf: (value: string, choices: readonly string[]) => `'${value}' is not one of ${choices.join(', ')}.`,
  notANumber: (value: string) => `'${value}' is not a number.`,
  notOfType: (value: string, type: string) =>
    `'${value}' has no meaning for the type ${type}; leave the cell empty.`,
  duplicateName: (value: string, rowNumber: number) =>
    `'${value}' is already the name of the field in row ${rowNumber}.`,
  headingMissing: (heading: string) => `Row 1: the column '${heading}' is missing.`,
  headingUnknown: (position: string, heading: string, nearest: string | null) =>
    nearest === null
      ? `Row 1, ${position}: '${heading}' is not a heading of a data dictionary.`
      : `Row 1, ${position}: '${heading}' is not a heading of a data dictionary; did you mean '${nearest}'?`,
  headingDuplicate: (position: string, heading: string) =>
    `Row 1, ${position}: the column '${heading}' appears more than once.`,
  wrongSheet: (sheet: string) =>
    `The first sheet is '${sheet}'; the fields must be in a sheet named '${dictionarySheets.fields}' ` +
    'in front of the others.',
  more: (count: number) => `There are ${writeCount(count)} more problems.`,
} as const
