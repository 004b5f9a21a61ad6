import { Button } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
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
 * The button that was pressed is disabled when the upload is over: the keyboard goes on at the way out, or at
 * the file that was refused.
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
