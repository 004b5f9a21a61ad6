import { Button } from '@mantine/core'
import { NoticeBlock } from './notice-block.tsx'
import { SheetPicture } from './sheet-picture.tsx'

/** In place of content that could not be loaded. */
export function LoadFailure({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <NoticeBlock
      picture={<SheetPicture tone="wrong" />}
      title={`${what} could not be loaded`}
      text="Please check your connection. Nothing of your data is lost."
      action={
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  )
}
