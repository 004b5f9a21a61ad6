import { CopyButton, Group, Modal, TextInput } from '@mantine/core'
import { companyTokenMessages as texts } from '@veridict/contract/messages/company-tokens'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import classes from './secret-dialog.module.css'

type Secret = { title: string; text: string; label: string; secret: string }

/** Shows a secret that cannot be shown again. Only its buttons close it, no click beside it and no key. */
export const showSecret = (shown: Secret): void => openDialog(SecretDialog, shown)

function SecretDialog({ title, text, label, secret, onClose }: Secret & { onClose: () => void }) {
  // Browsers give the clipboard to pages over https only; elsewhere the field is copied by keyboard.
  const canCopy = window.isSecureContext
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p className={classes.text}>{text}</p>
      <TextInput
        label={label}
        value={secret}
        readOnly
        spellCheck={false}
        data-autofocus
        classNames={{ input: classes.secret }}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group justify="flex-end" gap={10} mt={28}>
        <ActionButton label={texts.done} variant={canCopy ? 'default' : 'filled'} onClick={onClose} />
        {canCopy && (
          <CopyButton value={secret} timeout={3000}>
            {({ copied, copy }) => (
              <ActionButton
                label={<span aria-live="polite">{copied ? texts.copied : texts.copy}</span>}
                onClick={copy}
              />
            )}
          </CopyButton>
        )}
      </Group>
    </Modal>
  )
}
