import { cellErrorKinds } from '#messages/cells.ts'
import type { CellFaultCode } from '#model/cell-error.ts'

/** What is wrong with the cells of a cause. Ours. */
export const causeMessage = (kind: string): string => cellErrorKinds[kind as CellFaultCode]

/** What to do in a spreadsheet. Ours. */
export const causeAdvice = (_kind: string): string => 'Correct these cells in a spreadsheet.'
