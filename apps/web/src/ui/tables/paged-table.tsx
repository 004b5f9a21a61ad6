import { pageSizes } from '@veridict/contract/limits'
import type { ReactNode } from 'react'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { Pager } from './pager.tsx'
import { type GoTo, useLastPage } from './use-last-page.ts'

export type PagedTableProps<Row> = {
  label: string
  /** What could not be loaded, after a failure. @default label */
  what?: string
  columns: Column<Row>[]
  rowKey: (row: Row) => React.Key
  /** The result of the query that reads the page. */
  query: {
    data: { data: Row[]; totalPages: number; totalCount: number; totalIsLowerBound?: boolean } | undefined
    isError: boolean
    error: unknown
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  page: number
  /** @default pageSizes.default */
  pageSize?: number
  onPage: GoTo
  empty: ReactNode
  /** Hides the pager if there is only one page. @default false */
  quietPager?: boolean
}

/** A table with a pager that also shows the states loading, failed and empty. */
export function PagedTable<Row>({
  what,
  query,
  page,
  pageSize = pageSizes.default,
  onPage,
  quietPager = false,
  ...table
}: PagedTableProps<Row>) {
  const rows = useLastPage(query.data, page, onPage)
  if (query.isError && query.data === undefined)
    return <LoadFailure isFramed what={what ?? table.label} query={query} />
  return (
    <>
      <DataTable {...table} rows={rows ?? null} skeletonRows={pageSize} stale={query.isPlaceholderData} />
      {query.data && (
        <Pager page={page} pageSize={pageSize} {...query.data} onPage={onPage} isQuiet={quietPager} />
      )}
    </>
  )
}
