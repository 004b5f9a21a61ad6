import { Button } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { UploadProgress } from './upload-progress.tsx'
import classes from './upload-frame.module.css'

export type UploadFrameProps = {
  children: ReactNode
  /** Text above the progress bar, and percent; null while nothing is sent. */
  progress: { text: string; percent: number } | null
  canUpload: boolean
  onUpload: () => void
}

/** A form that uploads a file: its inputs, the progress and the button Upload. */
export function UploadFrame({ children, progress, canUpload, onUpload }: UploadFrameProps) {
  const form = useRef<HTMLFormElement>(null)
  useOutcomeFocus(form, progress !== null)
  return (
    <form
      ref={form}
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

/**
 * The upload disables the pressed button. Afterwards the focus moves to the link home or the refused file.
 */
function useOutcomeFocus(form: RefObject<HTMLFormElement | null>, isUploading: boolean): void {
  const hasUploaded = useRef(false)
  useEffect(() => {
    if (hasUploaded.current && !isUploading && document.activeElement === document.body) {
      form.current?.querySelector<HTMLElement>('[role=status] a, input[type=file]')?.focus()
    }
    hasUploaded.current = isUploading
  }, [form, isUploading])
}
