import { modals } from '@mantine/modals'
import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { DeletionQuestion, type ReadEffects } from './deletion-question.tsx'

/** Asks before a deletion. Names what is deleted and, with `readEffects`, lists what else changes. */
export function confirmDelete(name: string, readEffects?: ReadEffects): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isAgreed: boolean) => {
      resolve(isAgreed)
      modals.close(modalId)
    }
    const modalId = modals.open({
      title: dialogMessages.deleteTitle,
      size: 480,
      children: <DeletionQuestion name={name} readEffects={readEffects} onAnswer={answer} />,
      // Also runs after an answer; a settled promise ignores it.
      onClose: () => resolve(false),
    })
  })
}
