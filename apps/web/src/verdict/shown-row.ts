import type { CellError, RowReport } from '@veridict/contract/model/cell-error'

/** An error as rows show it, from a call or from the engine. */
export type ShownError = Omit<CellError, 'cause' | 'rule'> & { rule?: string | null }

/** A row with errors, of which `columnValidationErrors` may be only the first. */
export type ShownRow = Omit<RowReport, 'columnValidationErrors'> & { columnValidationErrors: ShownError[] }
