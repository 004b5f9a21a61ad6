import { Skeleton } from '@mantine/core'
import classes from './skeleton-rows.module.css'

/** Shown in place of a list while it loads. Widths differ from row to row, to look like text. */
export function SkeletonRows({ count }: { count: number }) {
  return (
    <div className={classes.rows} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <div key={index}>
          <Skeleton height={13} width={70} />
          <Skeleton height={13} width={`${24 + ((index * 13) % 30)}%`} />
        </div>
      ))}
    </div>
  )
}
