/** Words of the error files: their sheets, headings and notes. See docs/BEHAVIOUR.md#downloads. */
export const errorFileSheets = {
  errors: 'Errors',
  /** Where the errors continue when a sheet is full. `number` counts from 2. */
  furtherErrors: (number: number) => `Errors ${number}`,
  summary: 'Summary',
  data: 'Data',
} as const

export const errorsHeadings = ['Row', 'Col.', 'Label', 'Error', 'Value', 'Expected'] as const
export const summaryHeadings = ['Col.', 'Label', 'Error', 'Count'] as const

/** What the note of a bad cell says. */
export const errorNote = (error: string, expected: string): string => `${error}\nExpected: ${expected}`
