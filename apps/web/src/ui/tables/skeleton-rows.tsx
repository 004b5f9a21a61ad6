import { Skeleton } from '@mantine/core'
import classes from './skeleton-rows.module.css'

/** In place of a list that is on its way. Widths differ from row to row, as those of texts do. */
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
