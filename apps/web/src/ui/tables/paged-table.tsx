import { pageSizes } from '@veridict/contract/limits'
import { type ReactNode, useEffect } from 'react'
import { LoadFailure, type LoadFailureProps } from '#ui/feedback/load-failure.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { SearchBox } from '#ui/tables/search-box.tsx'
import type { useListAddress } from '#ui/tables/use-list-address.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { type GoTo, Pager } from './pager.tsx'

export type PagedTableProps<Row> = Omit<DataTableProps<Row>, 'rows' | 'skeletonRows' | 'stale'> & {
  /** What could not be loaded, after a failure. @default label */
  what?: string
  /** The result of the query that reads the page. */
  query: LoadFailureProps['query'] & {
    data: { data: Row[]; totalPages: number; totalCount: number; totalIsLowerBound?: boolean } | undefined
    isError: boolean
    isPlaceholderData: boolean
  }
  page: number
  /** @default pageSizes.default */
  pageSize?: number
  onPage: GoTo
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

type Listed<Row> = { data: Row[]; totalPages: number }

/**
 * Goes to the last page if `page` is past it: its rows were deleted, or the address is old. Returns the rows,
 * undefined while they load, or while it goes: a page past the last would look like an empty list.
 */
export function useLastPage<Row>(list: Listed<Row> | undefined, page: number, onPage: GoTo) {
  const totalPages = list?.totalPages ?? 0
  useEffect(() => {
    if (totalPages > 0 && page > totalPages) onPage(totalPages, { replace: true })
  }, [totalPages, page, onPage])
  return totalPages > 0 && list?.data.length === 0 ? undefined : list?.data
}

type SearchedTableProps<Row> = Omit<PagedTableProps<Row>, 'page' | 'onPage' | 'empty'> & {
  searchLabel: string
  address: Pick<ReturnType<typeof useListAddress>, 'searchText' | 'page' | 'search' | 'goTo'>
  /** Shown while there is nothing yet: `text` says what the list will show. */
  empty: { title: string; text: string; action?: ReactNode }
}

/** A paged table under its search input. */
export function SearchedTable<Row>({ searchLabel, address, empty, ...table }: SearchedTableProps<Row>) {
  const { searchText, page, search, goTo } = address
  const nothingFound = {
    text: `Nothing matches '${searchText}'.`,
    action: <ActionButton label="Clear search" variant="default" onClick={() => search('')} />,
  }
  return (
    <>
      <SearchBox label={searchLabel} value={searchText} onSearch={search} />
      <PagedTable
        {...table}
        page={page}
        onPage={goTo}
        empty={<NoticeBlock picture="quiet" {...empty} {...(searchText !== '' && nothingFound)} />}
      />
    </>
  )
}
