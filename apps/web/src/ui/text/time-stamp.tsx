import { relativeTime, formatTime } from './format.ts'
import { useNow } from './use-now.ts'
import classes from './time-stamp.module.css'

export type TimeStampProps = {
  at: string
  /** The name of who did it. */
  by?: string
}

/** Date and time in the browser's time zone, below it how long ago that was (for a week) and by whom. */
export function TimeStamp({ at, by }: TimeStampProps) {
  const now = useNow()
  const moment = new Date(at)
  const ago = relativeTime(moment, now)
  return (
    <span className={classes.time}>
      <time dateTime={at}>{formatTime(moment)}</time>
      {(ago !== null || by !== undefined) && (
        <span className={classes.ago}>
          {ago} {by !== undefined && <span className={classes.by}>by {by}</span>}
        </span>
      )}
    </span>
  )
}
