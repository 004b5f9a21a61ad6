import type { ReactNode } from 'react'
import { type Column, DataTable } from './data-table.tsx'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { Pager } from './pager.tsx'
import { useLastPage } from './use-last-page.ts'

export type PagedTableProps<Row> = {
  label: string
  columns: Column<Row>[]
  rowKey: (row: Row) => React.Key
  /** A read page, in the form of a query's result. */
  query: {
    data: { data: Row[]; totalPages: number; totalCount: number } | undefined
    isError: boolean
    error: unknown
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  page: number
  pageSize: number
  onPage: (page: number) => void
  empty: ReactNode
  /** Shows the pages only where there is more than one. @default false */
  quietPager?: boolean
}

/** A list of the server in pages: loading, broken, empty or full. */
export function PagedTable<Row>({
  query,
  page,
  pageSize,
  onPage,
  quietPager = false,
  ...table
}: PagedTableProps<Row>) {
  useLastPage(query.data, page, onPage)
  if (query.isError && query.data === undefined)
    return <LoadFailure isFramed what={table.label} failure={query.error} onRetry={() => query.refetch()} />
  return (
    <>
      <DataTable
        {...table}
        rows={query.data?.data ?? null}
        skeletonRows={pageSize}
        stale={query.isPlaceholderData}
      />
      {query.data && (
        <Pager page={page} pageSize={pageSize} {...query.data} onPage={onPage} isQuiet={quietPager} />
      )}
    </>
  )
}
