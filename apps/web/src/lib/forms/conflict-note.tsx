import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { conflictMessages } from '@veridict/contract/messages/conflicts'
import classes from './conflict-note.module.css'

export type ConflictNoteProps = {
  /** @default conflictMessages.text */
  text?: string
  isLoading: boolean
  onLoad: () => void
}

/** Says in a form that another user saved first, and offers to load their changes. */
export function ConflictNote({ text = conflictMessages.text, isLoading, onLoad }: ConflictNoteProps) {
  return (
    <div role="alert" className={classes.note}>
      <IconUsers size={22} stroke={1.7} aria-hidden />
      <div>
        <strong>{conflictMessages.title}</strong>
        <p>{text}</p>
        <Button type="button" variant="default" loading={isLoading} onClick={onLoad}>
          {conflictMessages.load}
        </Button>
      </div>
    </div>
  )
}
