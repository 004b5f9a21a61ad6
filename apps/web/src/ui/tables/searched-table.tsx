import type { ReactNode } from 'react'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'
import { PagedTable, type PagedTableProps } from '#ui/tables/paged-table.tsx'
import { SearchBox } from '#ui/tables/search-box.tsx'
import type { useListAddress } from '#ui/tables/use-list-address.ts'

export type SearchedTableProps<Row> = Omit<PagedTableProps<Row>, 'page' | 'onPage' | 'empty'> & {
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
        empty={<NoticeBlock picture={<SheetPicture />} {...empty} {...(searchText !== '' && nothingFound)} />}
      />
    </>
  )
}
