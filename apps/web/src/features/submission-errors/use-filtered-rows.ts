import { useQueries } from '@tanstack/react-query'
import type { Cause } from '@veridict/contract/model/cause'
import type { ShownRow } from '#verdict/shown-row.ts'
import { storedRowsQuery } from './api.ts'
import { mergeRows } from './merge-rows.ts'
import type { RowFilter } from './use-report-address.ts'

/** The causes of a filter; null without a filter, also if the report has no such cause or column. */
export function causesOf(filter: RowFilter, causes: readonly Cause[]): Cause[] | null {
  if (filter === null) return null
  const found = causes.filter((cause) =>
    'cause' in filter ? cause.id === filter.cause : cause.columnPosition === filter.column,
  )
  return found.length === 0 ? null : found
}

export type FilteredRows = { rows: ShownRow[] | undefined; failure: unknown; retry: () => void }

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
      failure: results.find(({ error }) => error !== null)?.error ?? null,
      retry: () => {
        for (const { isError, refetch } of results) if (isError) void refetch()
      },
    }),
  })
}
