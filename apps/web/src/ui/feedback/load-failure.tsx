import { Skeleton } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { isStatus, messageOf } from '#lib/http/call-failure.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { NoticeBlock } from './notice-block.tsx'
import classes from './skeleton-rows.module.css'

export type LoadFailureProps = {
  /** What could not be loaded, as the beginning of a sentence. */
  what: string
  query: { error: unknown; refetch: () => unknown }
  /** For use in place of a list or a form, which have a frame. @default false */
  isFramed?: boolean
}

export function LoadFailure({ what, query, isFramed = false }: LoadFailureProps) {
  return (
    <NoticeBlock
      isFramed={isFramed}
      picture="wrong"
      title={`${what} could not be loaded`}
      text={`${reasonOf(query.error)} No data is lost.`}
      action={<ActionButton label="Try again" variant="default" onClick={() => void query.refetch()} />}
    />
  )
}

type LoadedProps<Data> = Omit<LoadFailureProps, 'query'> & {
  query: LoadFailureProps['query'] & { data: Data | undefined; isError: boolean }
  /** Shown while it loads: so many rows, or something else. */
  skeleton: number | ReactElement
  children: (data: Data) => ReactNode
}

export function Loaded<Data>({ query, skeleton, children, ...failure }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <LoadFailure query={query} {...failure} />
  return typeof skeleton === 'number' ? <SkeletonRows count={skeleton} /> : skeleton
}

/** The server's message stays here after its notice disappears. Without a response the network failed. */
const reasonOf = (failure: unknown): string =>
  isStatus(failure, 0)
    ? 'Please check your connection.'
    : (messageOf(failure) ?? 'The portal sent an unexpected response.')

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
