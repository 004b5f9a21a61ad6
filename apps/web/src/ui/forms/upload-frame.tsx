import { Progress } from '@mantine/core'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { ActionButton } from './action-button.tsx'
import classes from './upload-frame.module.css'

export type UploadFrameProps = {
  children: ReactNode
  /** Text above the progress bar, and percent; null while nothing is sent. */
  progress: { text: string; percent: number } | null
  canUpload: boolean
  /** Another button is the main one for now. @default false */
  isQuiet?: boolean
  /** Said beside the button: the upload was canceled, or what is missing for it. */
  note: string | null
  onUpload: () => void
  onCancel: () => void
}

/** A form that uploads a file: its inputs, the progress, and the buttons Upload and, meanwhile, Cancel. */
export function UploadFrame({
  children,
  progress,
  canUpload,
  isQuiet = false,
  note,
  onUpload,
  onCancel,
}: UploadFrameProps) {
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
        {note !== null && (
          <p role="status" className={classes.note}>
            {note}
          </p>
        )}
        <div className={classes.buttons}>
          <ActionButton
            label="Upload"
            type="submit"
            variant={isQuiet ? 'default' : 'filled'}
            disabled={!canUpload || progress !== null}
          />
          {progress !== null && <ActionButton label="Cancel" variant="default" onClick={onCancel} />}
        </div>
      </div>
    </form>
  )
}

/** Moves the focus to what comes next, before `app/keep-focus.ts` does: the upload disables the button. */
function useOutcomeFocus(form: RefObject<HTMLFormElement | null>, isUploading: boolean): void {
  const hasUploaded = useRef(false)
  useLayoutEffect(() => {
    if (hasUploaded.current && !isUploading && document.activeElement === document.body) {
      const next = ['[role=status] a', '[type=submit]:enabled', 'input[type=file]']
        .map((selector) => form.current?.querySelector<HTMLElement>(selector))
        .find((element) => element != null)
      next?.focus()
    }
    hasUploaded.current = isUploading
  }, [form, isUploading])
}

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
