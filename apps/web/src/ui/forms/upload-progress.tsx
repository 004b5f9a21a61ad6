import { Progress } from '@mantine/core'
import classes from './upload-progress.module.css'

/** How far an upload has come. At 100 % everything is sent and the server still has to answer. */
export function UploadProgress({ text, percent }: { text: string; percent: number }) {
  return (
    <div className={classes.upload} role="status">
      <div className={classes.line}>
        <span>{text}</span>
        {/* The bar says it too; here it would be told anew with each step. */}
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
