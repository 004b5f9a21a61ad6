import { Progress } from '@mantine/core'
import classes from './upload-progress.module.css'

/** The progress of an upload. At 100 % everything is sent, and the response is still pending. */
export function UploadProgress({ text, percent }: { text: string; percent: number }) {
  return (
    <div className={classes.upload} role="status">
      <div className={classes.line}>
        <span>{text}</span>
        {/* Hidden: the bar has the value too, and a screen reader would read each step here. */}
        <span className={classes.percent} aria-hidden>
          {percent}%
        </span>
      </div>
      <Progress.Root size={8} radius={4}>
        <Progress.Section value={percent} animated={percent === 100} aria-label={text} />
      </Progress.Root>
    </div>
  )
}
