import { Button } from '@mantine/core'
import { isStatus, messageOf } from '#lib/http/call-failure.ts'
import { NoticeBlock } from './notice-block.tsx'
import { SheetPicture } from './sheet-picture.tsx'

export type LoadFailureProps = {
  /** What is missing, as the beginning of a sentence. */
  what: string
  /** Why: the failure of the call. */
  failure: unknown
  onRetry: () => void
  /** In place of a list or a form, which have a frame too. @default false */
  isFramed?: boolean
}

/** In place of content that could not be loaded. */
export function LoadFailure({ what, failure, onRetry, isFramed = false }: LoadFailureProps) {
  return (
    <NoticeBlock
      isFramed={isFramed}
      picture={<SheetPicture tone="wrong" />}
      title={`${what} could not be loaded`}
      text={`${reasonOf(failure)} Nothing of your data is lost.`}
      action={
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  )
}

/**
 * A connection is to be checked only where no answer came; else the server's own words stay, after their
 * notice is gone.
 */
const reasonOf = (failure: unknown): string =>
  isStatus(failure, 0)
    ? 'Please check your connection.'
    : (messageOf(failure) ?? 'The portal did not answer as it should.')
