import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { confirm } from './confirm.ts'

/** Asks before something is removed for good, naming it. Spec §2. */
export const confirmDelete = (name: string): Promise<boolean> =>
  confirm({
    title: dialogMessages.deleteTitle,
    text: (
      <>
        {dialogMessages.deleteText}
        <strong style={{ display: 'block', marginTop: 8, overflowWrap: 'anywhere' }}>{name}</strong>
      </>
    ),
    confirmLabel: 'Delete',
  })
