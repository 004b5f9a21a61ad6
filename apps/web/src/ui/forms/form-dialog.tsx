import { Group, Modal } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { confirmAndClose } from '#lib/forms/confirm.ts'
import { ActionButton } from './action-button.tsx'
import classes from './form-dialog.module.css'
import { FormWithErrorFocus } from './form-with-error-focus.tsx'

export type FormDialogProps<Values> = {
  title: string
  form: {
    isDirty: () => boolean
    onSubmit: (save: (values: Values) => void) => FormEventHandler<HTMLFormElement>
  }
  /** Closing asks before changes are lost. @default true */
  asks?: boolean
  onClose: () => void
  onSave: (values: Values) => void
  /** @default whether the form was changed */
  canSave?: boolean
  isSaving: boolean
  saveLabel?: string
  /** Stands beside Cancel and Save. */
  beside?: ReactNode
  children: ReactNode
}

export function FormDialog<Values>({ form, onSave, saveLabel = 'Save', ...dialog }: FormDialogProps<Values>) {
  const { title, asks = true, canSave = form.isDirty(), isSaving, beside, children } = dialog
  const close = () => void confirmAndClose(asks && form.isDirty(), dialog.onClose)
  return (
    <Modal opened onClose={close} title={title} size={480}>
      <FormWithErrorFocus isBusy={isSaving} onSubmit={form.onSubmit(onSave)}>
        <div className={classes.fields}>{children}</div>
        <Group justify="flex-end" gap={10} mt={28}>
          {beside}
          <ActionButton label="Cancel" variant="default" onClick={close} />
          <ActionButton label={saveLabel} type="submit" disabled={!canSave} isBusy={isSaving} />
        </Group>
      </FormWithErrorFocus>
    </Modal>
  )
}
