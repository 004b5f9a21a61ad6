import { useQueries } from '@tanstack/react-query'
import type { Cause } from '@veridict/contract/model/cause'
import type { ShownRow } from '#verdict/error-table.tsx'
import { storedRowsQuery } from './api.ts'
import type { RowFilter } from './use-report-address.ts'

/** The causes of a filter; null without a filter, also if the report has no such cause or column. */
export function causesOf(filter: RowFilter, causes: readonly Cause[]): Cause[] | null {
  if (filter === null) return null
  const found = causes.filter((cause) =>
    'cause' in filter ? cause.id === filter.cause : cause.columnPosition === filter.column,
  )
  return found.length === 0 ? null : found
}

export type FilteredRows = { rows: ShownRow[] | undefined; error: unknown; refetch: () => void }

/**
 * The rows of some causes, wherever they lie in the file: the server keeps the first rows of each cause
 * besides the first rows of the file.
 */
export function useFilteredRows(id: number, causes: readonly Cause[]): FilteredRows {
  return useQueries({
    queries: causes.map((cause) => storedRowsQuery(id, cause.id)),
    combine: (results) => ({
      rows: results.every(({ data }) => data !== undefined)
        ? mergeRows(results.map(({ data }) => data ?? []))
        : undefined,
      error: results.find(({ error }) => error !== null)?.error ?? null,
      refetch: () => {
        for (const { isError, refetch } of results) if (isError) void refetch()
      },
    }),
  })
}

/** The rows of several causes in the order of the file; a row with errors of two causes is one row. */
export function mergeRows(lists: readonly (readonly ShownRow[])[]): ShownRow[] {
  const merged = new Map<number, ShownRow>()
  for (const row of lists.flat()) {
    const other = merged.get(row.rowNumber)
    merged.set(row.rowNumber, other === undefined ? row : joinRows(other, row))
  }
  return [...merged.values()].sort((one, other) => one.rowNumber - other.rowNumber)
}

const joinRows = (one: ShownRow, other: ShownRow): ShownRow => ({
  ...one,
  totalCount: one.totalCount + other.totalCount,
  columnValidationErrors: [...one.columnValidationErrors, ...other.columnValidationErrors],
})
