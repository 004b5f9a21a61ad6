import { isStatus, messageOf } from '#lib/http/call-failure.ts'
import { NoticeBlock } from './notice-block.tsx'
import { SheetPicture } from './sheet-picture.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'

export type LoadFailureProps = {
  /** What could not be loaded, as the beginning of a sentence. */
  what: string
  query: { error: unknown; refetch: () => unknown }
  /** For use in place of a list or a form, which have a frame. @default false */
  isFramed?: boolean
}

/** Shown in place of content that could not be loaded. */
export function LoadFailure({ what, query, isFramed = false }: LoadFailureProps) {
  return (
    <NoticeBlock
      isFramed={isFramed}
      picture={<SheetPicture tone="wrong" />}
      title={`${what} could not be loaded`}
      text={`${reasonOf(query.error)} No data is lost.`}
      action={<ActionButton label="Try again" variant="default" onClick={() => void query.refetch()} />}
    />
  )
}

/** The server's message stays here after its notice disappears. Without a response the network failed. */
const reasonOf = (failure: unknown): string =>
  isStatus(failure, 0)
    ? 'Please check your connection.'
    : (messageOf(failure) ?? 'The portal sent an unexpected response.')
