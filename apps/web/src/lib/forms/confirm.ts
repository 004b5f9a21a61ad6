import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

/** A yes-or-no question in a dialog. */
export type Question = { title: string; text: ReactNode; confirmLabel: string; cancelLabel?: string }

/** Asks, and tells whether the person agreed; closing the dialog is a no, and so is Enter at once. */
export function confirm({ title, text, confirmLabel, cancelLabel = 'Cancel' }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: text,
      labels: { confirm: confirmLabel, cancel: cancelLabel },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => resolve(true),
      // Comes after onConfirm too, where it changes nothing any more.
      onClose: () => resolve(false),
    })
  })
}
