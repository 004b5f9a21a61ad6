import { relativeTime, formatTime } from './format.ts'
import { useNow } from './use-now.ts'
import classes from './time-stamp.module.css'

/** Date and time in the browser's time zone, and for the last week how long ago that was. */
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
