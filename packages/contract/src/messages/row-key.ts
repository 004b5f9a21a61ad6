import type { RowKeyPart } from '#model/cell-error.ts'

/** The value of a field that identifies a row, in notes and on the command line. Ours. */
export const rowKeyText = ({ label, value }: RowKeyPart): string =>
  `${label}: ${value.trim() === '' ? '(empty)' : value}`
