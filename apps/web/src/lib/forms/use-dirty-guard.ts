import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { confirm, type Question } from './confirm.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

/** The question before changes that are not saved are thrown away. Spec §9. */
const unsavedChanges: Question = {
  title: dialogMessages.unsavedChangesTitle,
  text: dialogMessages.unsavedChangesText,
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
}

/**
 * Asks before the page is left while a form holds changes that are not saved. Gives the way out after saving,
 * which does not ask: it first lets the guard go and navigates once that is rendered. Spec §4.
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

/** Closes a dialog, after asking where it holds changes that are not saved. */
export async function confirmAndClose(isDirty: boolean, onClose: () => void): Promise<void> {
  // Escape reaches both the question and the dialog below it: while one is asked, or just was, it is the
  // question's.
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
