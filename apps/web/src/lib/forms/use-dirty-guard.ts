import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { confirm, type Question } from './confirm.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

const unsavedChanges: Question = {
  title: dialogMessages.unsavedChangesTitle,
  text: dialogMessages.unsavedChangesText,
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
}

/**
 * Asks before the screen is left with unsaved changes. `leaveTo` navigates without asking, for use after
 * saving: it removes the guard and navigates once that is rendered. See docs/BEHAVIOUR.md#forms.
 */
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
  // Escape reaches both the question and the dialog below it. The dialog ignores it while the question is
  // open or has just closed.
  if (isAsking) return
  if (isDirty && !(await askOnce())) return
  onClose()
}

let isAsking = false

async function askOnce(): Promise<boolean> {
  isAsking = true
  const isAgreed = await confirm(unsavedChanges)
  setTimeout(() => (isAsking = false))
  return isAgreed
}
