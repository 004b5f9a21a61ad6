import type { RowKeyPart } from '#model/cell-error.ts'
import { counted, writeCount } from '#notation/count.ts'
import { rowKeyText } from './row-key.ts'

/** Words of the error files: their sheets, headings and notes. See docs/BEHAVIOUR.md#downloads. */
export const errorFileSheets = {
  errors: 'Errors',
  /** Where the errors continue when a sheet is full. `number` counts from 2. */
  furtherErrors: (number: number) => `Errors ${number}`,
  summary: 'Summary',
  warnings: 'Warnings',
  furtherWarnings: (number: number) => `Warnings ${number}`,
  data: 'Data',
  corrections: 'Corrections',
} as const

export const errorsHeadings = ['Row', 'Col.', 'Label', 'Error', 'Value', 'Expected'] as const
export const summaryHeadings = ['Col.', 'Label', 'Error', 'Count'] as const

/** What the note of a bad cell says; last what identifies its row, so that it is found after sorting. */
export const errorNote = (error: string, expected: string, key: readonly RowKeyPart[]): string =>
  [error, `Expected: ${expected}`, ...key.map(rowKeyText)].join('\n')

export const correctionsHeadings = ['Row', 'Col.', 'Label', 'Before', 'After'] as const
/** Headings of the table above it, of the changes by cause. */
export const correctedCausesHeadings = [
  'Corrected',
  'Col.',
  'Label',
  'What was wrong',
  'Not corrected',
] as const

const leftOutNames = {
  links: 'links to web pages and other files',
  macros: 'macros',
  connections: 'data connections',
  objects: 'embedded objects and controls',
  rules: 'names, input rules or conditional formats that call functions or other files',
  others: 'charts, pivot tables or other additions',
} as const
/** What is not copied from a workbook that was uploaded, besides formulas. */
export type LeftOutKind = keyof typeof leftOutNames

/** What a copy of an uploaded workbook does not have. See docs/BEHAVIOUR.md#active-content. */
export function leftOutNote(formulas: number, kinds: ReadonlySet<LeftOutKind>): string {
  const names = Object.entries(leftOutNames)
    .filter(([kind]) => kinds.has(kind as LeftOutKind))
    .map(([, name]) => name)
  const values = formulas === 0 ? [] : [`${counted(formulas, 'formula')} (the values are here)`]
  return `Left out of this copy, for safety: ${[...values, ...names].join('; ')}.`
}

/** Of a row that is left out, in characters. */
const MAX_REMOVED_TEXT = 200

/** What the last sheet of a corrected copy says. See docs/BEHAVIOUR.md#corrected-copy. */
export const correctionTexts = {
  title: (fileName: string) => `Corrected copy of ${fileName}`,
  corrected: (count: number, sheet: string) =>
    `${counted(count, 'cell')} corrected; green on the sheet "${sheet}". All other values are as they were.`,
  uncorrected: (count: number) =>
    count === 0 ? 'Every bad cell is corrected.' : `Bad cells that are not corrected: ${writeCount(count)}.`,
  left: (count: number) =>
    `${counted(count, 'cell')} could not be changed: the file cannot hold the value there.`,
  passedWrong: (label: string, count: number) =>
    `${label}: ${counted(count, 'cell')} passed with day and month swapped, and ` +
    `${count === 1 ? 'was' : 'were'} changed too.`,
  removed: ({ rowNumber, text }: { rowNumber: number | null; text: string }) =>
    rowNumber === null
      ? `Column left out: ${text}.`
      : `Row ${writeCount(rowNumber)} of the uploaded file left out: ${text.slice(0, MAX_REMOVED_TEXT)}`,
  /** After a correction of the structure: the sentences of its causes. */
  structure: (sentence: string) => `Corrected: ${sentence}`,
  oldResults: 'Results of formulas are those of the uploaded file: they were not calculated again.',
  firstCells: (count: number, total: number) =>
    `These are the first ${writeCount(count)} of ${writeCount(total)} corrected cells.`,
} as const
