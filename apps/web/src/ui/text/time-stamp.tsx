import { relativeTime, formatTime } from './format.ts'
import { useNow } from './use-now.ts'
import classes from './time-stamp.module.css'

/**
 * A moment: its date and time in the reader's zone, and below it how long ago that was while it is recent.
 */
export function TimeStamp({ at }: { at: string }) {
  const now = useNow()
  const moment = new Date(at)
  const ago = relativeTime(moment, now)
  return (
    <time dateTime={at} className={classes.time}>
      <span>{formatTime(moment)}</span>
      {ago !== null && <span className={classes.ago}>{ago}</span>}
    </time>
  )
}
