import { dictionarySheets } from '#messages/dictionary-file.ts'
import { writeCount } from '#notation/count.ts'

/** A value may be as long as a cell can be, and thousands of sentences may name one. In characters. */
const MAX_QUOTED = 100
const quoted = (value: string) =>
  value.length > MAX_QUOTED ? `'${value.slice(0, MAX_QUOTED)}…'` : `'${value}'`

/** Why a workbook cannot be imported, one per bad cell. See docs/BEHAVIOUR.md#dictionary-workbook. */
export const dictionaryImportMessages = {
  at: (rowNumber: number, column: string, problem: string) => `Row ${rowNumber}, ${column}: ${problem}`,
  /** A problem of another sheet than the first. */
  onSheet: (sheet: string, problem: string) => `Sheet ${sheet}: ${problem}`,
  notOneOf: (value: string, choices: readonly string[]) =>
    `${quoted(value)} is not one of ${choices.join(', ')}.`,
  notANumber: (value: string) => `${quoted(value)} is not a number.`,
  notOfType: (value: string, type: string) =>
    `${quoted(value)} has no meaning for the type ${type}; leave the cell empty.`,
  notOfExemption: (value: string) =>
    `${quoted(value)} has no meaning for an exemption; leave the cell empty.`,
  secondExemption: (rowNumber: number) => `Row ${rowNumber} already has the exemption; there can be one.`,
  duplicateName: (value: string, rowNumber: number) =>
    `${quoted(value)} is already the name of the field in row ${rowNumber}.`,
  headingMissing: (heading: string) => `Row 1: the column '${heading}' is missing.`,
  headingUnknown: (position: string, heading: string, nearest: string | null) =>
    `Row 1, ${position}: ${quoted(heading)} is not a heading of a data dictionary` +
    (nearest === null ? '.' : `; did you mean '${nearest}'?`),
  headingDuplicate: (position: string, heading: string) =>
    `Row 1, ${position}: the column ${quoted(heading)} appears more than once.`,
  wrongSheet: (sheet: string) =>
    `The first sheet is '${sheet}'; the fields must be in a sheet named '${dictionarySheets.fields.name}' ` +
    'in front of the others.',
  tooManyCharacters: (limit: number) =>
    `The workbook has more than ${writeCount(limit)} characters, far more than a data dictionary needs.`,
  more: (count: number) => `There are ${writeCount(count)} more problems.`,
} as const
