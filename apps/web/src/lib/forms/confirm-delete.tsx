import { modals } from '@mantine/modals'
import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { DeletionQuestion, type ReadEffects } from './deletion-question.tsx'

/** Asks before something is removed for good, naming it and, where that is more, what it changes. Spec §2. */
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
      // Comes after an answer too, where it changes nothing any more.
      onClose: () => resolve(false),
    })
  })
}
