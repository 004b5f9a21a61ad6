import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { UploadProgress } from './upload-progress.tsx'
import classes from './upload-frame.module.css'

export type UploadFrameProps = {
  children: ReactNode
  /** What is said above the bar and how far it is; null while nothing is sent. */
  progress: { text: string; percent: number } | null
  canUpload: boolean
  onUpload: () => void
}

/** A form that sends a file: its inputs, then how far it has come, then Upload. */
export function UploadFrame({ children, progress, canUpload, onUpload }: UploadFrameProps) {
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        onUpload()
      }}
    >
      {children}
      <div className={classes.foot}>
        {progress !== null && <UploadProgress {...progress} />}
        <Button type="submit" disabled={!canUpload || progress !== null}>
          Upload
        </Button>
      </div>
    </form>
  )
}
