import { dialogMessages } from '@veridict/contract/messages/dialogs'
import type { Question } from './confirm.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

/** The question before changes that are not saved are thrown away. Spec §9. */
export const unsavedChanges: Question = {
  title: dialogMessages.unsavedChangesTitle,
  text: dialogMessages.unsavedChangesText,
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
}

/** Asks before the page is left while a form holds changes that are not saved. Spec §4. */
export function useDirtyGuard(isDirty: boolean): void {
  useLeaveGuard(isDirty, unsavedChanges)
}
