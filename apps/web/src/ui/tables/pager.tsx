import { Pagination, VisuallyHidden } from '@mantine/core'
import { writeCount } from '@veridict/contract/notation/count'
import classes from './pager.module.css'

/** Shows a page of a list, and opens a row of it. `replace`: "back" does not return to the page before. */
export type GoTo = (page: number, options?: { replace?: boolean; row?: number }) => void

export type PagerProps = {
  page: number
  pageSize: number
  totalPages: number
  totalCount: number
  /** There may be more than `totalCount`. @default false */
  totalIsLowerBound?: boolean
  onPage: (page: number) => void
  /** Hides the pager if there is only one page. @default false */
  isQuiet?: boolean
}

/** Shows the current range and the pages; announces the range to screen readers after each change. */
export function Pager({ isQuiet = false, ...pager }: PagerProps) {
  const { totalPages, totalCount } = pager
  return (
    <>
      <VisuallyHidden role="status">
        {totalCount === 0 ? 'The list is empty' : `Showing ${rangeOf(pager)}`}
      </VisuallyHidden>
      {totalCount > 0 && (totalPages > 1 || !isQuiet) && <Pages {...pager} />}
    </>
  )
}

/** `11–20 of 204`. */
export function rangeOf({ page, pageSize, totalCount, ...pager }: Omit<PagerProps, 'onPage'>): string {
  // Past the last page both are the total.
  const first = Math.min((page - 1) * pageSize + 1, totalCount)
  const last = Math.min(page * pageSize, totalCount)
  const total = `${pager.totalIsLowerBound ? 'more than ' : ''}${writeCount(totalCount)}`
  return `${writeCount(first)}–${writeCount(last)} of ${total}`
}

function Pages(pager: PagerProps) {
  const { page, totalPages, onPage } = pager
  return (
    <nav aria-label="Pages" className={classes.pager}>
      <span className={classes.count}>{rangeOf(pager)}</span>
      <Pagination
        total={Math.max(1, totalPages)}
        value={page}
        onChange={onPage}
        siblings={1}
        size="sm"
        classNames={{ root: classes.pages }}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}`, children: writeCount(item) })}
        getControlProps={(control) => ({ 'aria-label': control === 'next' ? 'Next page' : 'Previous page' })}
      />
    </nav>
  )
}

/** A page number from the address: a whole number of at least 1, else 1. */
export function pageNumberOf(text: string | null): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
}

/** A page of a list that is here as a whole. */
export const pageOf = <T,>(items: readonly T[], page: number, pageSize: number) => ({
  data: items.slice((page - 1) * pageSize, page * pageSize),
  totalPages: Math.ceil(items.length / pageSize),
  totalCount: items.length,
})
