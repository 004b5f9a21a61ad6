import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './entry-form.module.css'

export type EntryFailureProps = {
  message: string
  /** A link that helps. */
  children?: ReactNode
}

/** Says at a form of the visitors' screens why it was refused: a notice disappears after 4 seconds. */
export function EntryFailure({ message, children }: EntryFailureProps) {
  return (
    <Alert color="brand">
      <p className={classes.fault}>{message}</p>
      {children}
    </Alert>
  )
}
