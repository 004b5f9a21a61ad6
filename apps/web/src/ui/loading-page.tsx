import { Skeleton } from '@mantine/core'
import { Page } from './page.tsx'

/** In place of a screen whose title is not known yet. */
export function LoadingPage() {
  return (
    <Page title="Loading" heading={<Skeleton height={36} width="min(340px, 80%)" component="span" display="block" />}>
      <div role="status" aria-label="Loading">
        <Skeleton height={150} radius={10} />
        <Skeleton height={240} radius={10} mt={44} />
      </div>
    </Page>
  )
}
