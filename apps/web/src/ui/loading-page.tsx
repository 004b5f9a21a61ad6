import { Skeleton } from '@mantine/core'
import classes from './loading-page.module.css'
import { Page } from './page.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'

/** In place of a screen whose title is not known yet: as high as its trail and its title will be. */
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
      <SkeletonRows count={2} />
      <div className={classes.part}>
        <SkeletonRows count={5} />
      </div>
    </Page>
  )
}
