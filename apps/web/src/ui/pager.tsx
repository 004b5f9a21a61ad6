import { Pagination } from '@mantine/core'
import { firstAndLast } from './page-window.ts'
import classes from './pager.module.css'

export type PagerProps = { page: number; pageSize: number; totalPages: number; totalCount: number; onPage: (page: number) => void }

/** Where in the list the reader is, and the way to the other pages. */
export function Pager({ page, pageSize, totalPages, totalCount, onPage }: PagerProps) {
  if (totalCount === 0) return null
  const { first, last } = firstAndLast(page, pageSize, totalCount)
  return (
    <nav aria-label="Pages" className={classes.pager}>
      <span className={classes.count}>
        {first.toLocaleString('en')}–{last.toLocaleString('en')} of {totalCount.toLocaleString('en')}
      </span>
      <Pagination
        total={Math.max(1, totalPages)}
        value={page}
        onChange={onPage}
        siblings={1}
        size="sm"
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
        getControlProps={(control) => ({ 'aria-label': control === 'next' ? 'Next page' : 'Previous page' })}
      />
    </nav>
  )
}
