import { formatTime } from '#ui/text/format.ts'

/**
 * When something changed and by whom, like "21 Nov 2026, 10:12 by Ada Admin"; no name where the portal itself
 * did it.
 */
export function ChangedBy({ at, by }: { at: string; by: string | null }) {
  return (
    <span>
      <time dateTime={at}>{formatTime(new Date(at))}</time>
      {by !== null && ` by ${by}`}
    </span>
  )
}
