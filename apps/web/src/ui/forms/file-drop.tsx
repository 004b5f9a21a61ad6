import { IconFileSpreadsheet, IconX } from '@tabler/icons-react'
import { ActionIcon } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type DragEvent, useId, useState } from 'react'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import classes from './file-drop.module.css'
import { fileSize } from '#ui/text/format.ts'

export type FileDropProps = {
  /** Caption above the drop zone. */
  label: string
  /** Which files are accepted. */
  hint: string
  /** File extensions for the picker, like ".csv,.xlsx". */
  accept: string
  file: File | null
  error: string | null
  disabled?: boolean
  /** Less high, for a form in which the file is only the first input. @default false */
  compact?: boolean
  /** Called with all dropped or picked files, and with none when the chosen file is removed. */
  onFiles: (files: File[]) => void
}

/** A zone to drop a file on; a click opens the file picker. */
export function FileDrop({
  label,
  hint,
  accept,
  file,
  error,
  disabled = false,
  compact,
  onFiles,
}: FileDropProps) {
  const id = useId()
  const { isOver, ...dragging } = useDropTarget(disabled, onFiles)
  useWindowEvent('dragover', ignoreFiles)
  useWindowEvent('drop', ignoreFiles)
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.caption}>
        {label}
      </label>
      <div
        className={classes.zone}
        data-over={isOver || undefined}
        data-error={error !== null || undefined}
        data-disabled={disabled || undefined}
        data-compact={compact || undefined}
        {...dragging}
      >
        <input
          id={id}
          type="file"
          accept={accept}
          multiple
          disabled={disabled}
          className={classes.input}
          aria-invalid={error !== null || undefined}
          aria-describedby={`${id}-hint${error === null ? '' : ` ${id}-error`}`}
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])]
            // Without this, picking the same file again after correcting it fires no change event.
            currentTarget.value = ''
            if (files.length > 0) onFiles(files)
          }}
        />
        {file === null ? <Invitation hint={hint} hintId={`${id}-hint`} /> : <Chosen file={file} />}
        {file !== null && !disabled && <RemoveButton onClick={() => onFiles([])} />}
      </div>
      {error !== null && (
        <p id={`${id}-error`} role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </div>
  )
}

/** The handlers of a drop zone, and whether files are held over it. */
function useDropTarget(disabled: boolean, onFiles: (files: File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(!disabled)
  }
  return {
    isOver,
    onDragEnter: over,
    onDragOver: over,
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      if (!disabled && event.dataTransfer.files.length > 0) onFiles([...event.dataTransfer.files])
    },
  }
}

/** The browser would open files in place of the page. Dragged text, and drops that a zone handled, pass. */
function ignoreFiles(event: globalThis.DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}

function Invitation({ hint, hintId }: { hint: string; hintId: string }) {
  return (
    <div className={classes.invitation}>
      <IconFileSpreadsheet size={34} stroke={1.3} aria-hidden />
      <span>
        Drop your file here or <b>browse</b>
      </span>
      <span id={hintId} className={classes.hint}>
        {hint}
      </span>
    </div>
  )
}

function Chosen({ file }: { file: File }) {
  return (
    <div className={classes.chosen}>
      <IconFileSpreadsheet size={30} stroke={1.4} aria-hidden />
      <span className={classes.name}>
        <BreakableName name={file.name} />
        <span className={classes.hint}>{fileSize(file.size)}</span>
      </span>
    </div>
  )
}

function RemoveButton({ onClick }: { onClick: () => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray.7"
      className={classes.remove}
      aria-label="Remove file"
      onClick={onClick}
    >
      <IconX size={18} aria-hidden />
    </ActionIcon>
  )
}
