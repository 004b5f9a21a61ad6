import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

/** A yes-or-no question in a dialog. */
export type Question = { title: string; text: ReactNode; confirmLabel: string; cancelLabel?: string }

let showDialogs: () => void
const dialogsShown = new Promise<void>((resolve) => {
  showDialogs = resolve
})
/** Called when dialogs can be shown. They are loaded after the login page. */
export const dialogsAreShown = (): void => showDialogs()

/** Asks, and resolves to whether the user agreed. Closing the dialog means no; the focus starts on Cancel. */
export async function confirm(question: Question): Promise<boolean> {
  await dialogsShown
  const { title, text, confirmLabel, cancelLabel = 'Cancel' } = question
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: text,
      labels: { confirm: confirmLabel, cancel: cancelLabel },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => resolve(true),
      // Also runs after onConfirm; a settled promise ignores it.
      onClose: () => resolve(false),
    })
  })
}
