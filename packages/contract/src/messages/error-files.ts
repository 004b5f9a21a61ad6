/**
 * Words of the error files that people download: their sheets, headings and notes. Decisions, "Files that
 * people download".
 */
export const errorFileSheets = {
  errors: 'Errors',
  /** Where the errors go on when a sheet is full. `number` counts from 2. */
  furtherErrors: (number: number) => `Errors ${number}`,
  summary: 'Summary',
  data: 'Data',
} as const

export const errorsHeadings = ['Row', 'Col.', 'Label', 'Error', 'Value', 'Expected'] as const
export const summaryHeadings = ['Col.', 'Label', 'Error', 'Count'] as const

/** What the note of a bad cell says. */
export const errorNote = (error: string, expected: string): string => `${error}\nExpected: ${expected}`
