import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './tall-modal.module.css'

export type TallModalProps = {
  title: ReactNode
  /** Names the scrolling part and makes it focusable, for the keyboard, where nothing in it takes focus. */
  label?: string
  onClose: () => void
  /** In pixels. */
  width: number
  /** Stays in view, below what scrolls. */
  foot: ReactNode
  children: ReactNode
}

/** A dialog whose content scrolls between its title and its buttons. */
export function TallModal({ title, label, onClose, width, foot, children }: TallModalProps) {
  const region =
    label === undefined ? {} : { role: 'region', 'aria-label': label, tabIndex: 0, 'data-autofocus': true }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={width}
      classNames={{ content: classes.content, body: classes.body }}
    >
      <div className={classes.scrolling} {...region}>
        {children}
      </div>
      <div className={classes.foot}>{foot}</div>
    </Modal>
  )
}
