import { Skeleton } from '@mantine/core'
import classes from './loading-page.module.css'
import { Page } from './page.tsx'
import { SkeletonRows } from '#ui/tables/skeleton-rows.tsx'

/** A placeholder for a screen whose title is still loading, with the heights of the later content. */
export function LoadingPage() {
  return (
    <Page
      title="Loading"
      heading={
        <>
          <Skeleton height={12} width={180} component="span" display="block" className={classes.trail} />
          <Skeleton height={36} width="min(340px, 80%)" component="span" display="block" />
        </>
      }
    >
      <Part rows={2} />
      <Part rows={5} />
    </Page>
  )
}

function Part({ rows }: { rows: number }) {
  return (
    <div className={classes.part}>
      <div className={classes.head}>
        <Skeleton height={20} width={130} />
      </div>
      <SkeletonRows count={rows} />
    </div>
  )
}
