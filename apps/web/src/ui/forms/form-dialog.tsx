import { Group, Modal } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { FormWithErrorFocus } from './form-with-error-focus.tsx'
import { useReturnFocus } from './use-return-focus.ts'
import classes from './form-dialog.module.css'
import { ActionButton } from './action-button.tsx'

export type FormDialogProps = {
  title: string
  /** Called for every way of closing without saving. The caller asks before changes are lost. */
  onClose: () => void
  onSubmit: FormEventHandler<HTMLFormElement>
  canSave: boolean
  isSaving: boolean
  saveLabel?: string
  /** Stands beside Cancel and Save. */
  beside?: ReactNode
  children: ReactNode
}

/** A form in a dialog, with Cancel and Save. */
export function FormDialog({
  title,
  onClose,
  onSubmit,
  canSave,
  isSaving,
  saveLabel = 'Save',
  beside,
  children,
}: FormDialogProps) {
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={title} size={480}>
      <FormWithErrorFocus isBusy={isSaving} onSubmit={onSubmit}>
        <div className={classes.fields}>{children}</div>
        <Group justify="flex-end" gap={10} mt={28}>
          {beside}
          <ActionButton label="Cancel" variant="default" onClick={onClose} />
          <ActionButton label={saveLabel} type="submit" disabled={!canSave} isBusy={isSaving} />
        </Group>
      </FormWithErrorFocus>
    </Modal>
  )
}
