import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { useEffect, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { modals } from '@mantine/modals'

/** A yes-or-no question in a dialog. */
export type Question = { title: string; text: ReactNode; confirmLabel: string; cancelLabel?: string }

const dialogs = Promise.withResolvers<void>()
/** Called when dialogs can be shown. They are loaded after the login page. */
export const dialogsAreShown = (): void => dialogs.resolve()

/** Asks, and resolves to whether the user agreed. Closing the dialog means no; the focus starts on Cancel. */
export async function confirm(question: Question): Promise<boolean> {
  await dialogs.promise
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

const activeQuestions = new Set<Question>()

export const isGuarded = (): boolean => activeQuestions.size > 0

/** Asks the question of each active guard. True if the user agreed to all, or there are none. */
export async function confirmLeaving(): Promise<boolean> {
  for (const question of activeQuestions) if (!(await confirm(question))) return false
  return true
}

/** Asks before another screen and log-out; the browser asks before the tab closes. `question`: a constant. */
export function useLeaveGuard(active: boolean, question: Question): void {
  useEffect(() => {
    if (!active) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    activeQuestions.add(question)
    addEventListener('beforeunload', ask)
    return () => {
      activeQuestions.delete(question)
      removeEventListener('beforeunload', ask)
    }
  }, [active, question])
}

const unsavedChanges: Question = {
  title: dialogMessages.unsavedChangesTitle,
  text: dialogMessages.unsavedChangesText,
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
}

/** `leaveTo`, after saving, removes the guard and then navigates. See docs/BEHAVIOUR.md#forms. */
export function useDirtyGuard(isDirty: boolean): { leaveTo: (path: string) => void } {
  const [target, setTarget] = useState<string | null>(null)
  const navigate = useNavigate()
  useLeaveGuard(isDirty && target === null, unsavedChanges)
  useEffect(() => {
    if (target !== null) void navigate(target)
  }, [target, navigate])
  return { leaveTo: setTarget }
}

/** Closes a dialog; with unsaved changes it asks first. */
export async function confirmAndClose(isDirty: boolean, onClose: () => void): Promise<void> {
  // Escape reaches both the question and the dialog below it, which ignores it while the question is open and
  // when this same event has just closed it. A timer instead would ignore the next key on a busy computer.
  if (isAsking || (window.event !== undefined && window.event === closedBy)) return
  if (isDirty && !(await askOnce())) return
  onClose()
}

let isAsking = false
let closedBy: Event | undefined

async function askOnce(): Promise<boolean> {
  isAsking = true
  const isAgreed = await confirm(unsavedChanges)
  isAsking = false
  closedBy = window.event
  return isAgreed
}
