import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import type { UseMutationResult } from '@tanstack/react-query'
import { copyDictionaryForm, renameDictionaryForm } from '@veridict/contract/forms/dictionary'
import type { ReactNode } from 'react'
import { confirmAndClose } from '#lib/forms/use-dirty-guard.ts'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { rereadName, useCopyDictionary, useRenameDictionary } from './api.ts'

export type DictionaryDialogProps = { dictionary: { id: number; name: string }; onClose: () => void }

type RenameDialogProps = { dictionary: { id: number; name: string; etag: string }; onClose: () => void }

/** Gives a dictionary another name. */
export function RenameDialog({ dictionary: { id, name, etag }, onClose }: RenameDialogProps) {
  const form = useNameForm(name, renameDictionaryForm)
  const conflict = useConflict(form, { values: { name }, etag }, () => rereadName(id))
  const showAtName = (message: string, failure: unknown) =>
    conflict.show(failure) || form.setFieldError('name', message)
  const rename = useRenameDictionary(id, conflict.etag, showAtName)
  return (
    <NameDialog
      title="Rename data dictionary"
      form={form}
      change={rename}
      note={conflict.note}
      onClose={onClose}
    />
  )
}

/** Makes a copy of a dictionary under another name. */
export function DuplicateDialog({ dictionary, onClose }: DictionaryDialogProps) {
  const form = useNameForm('', copyDictionaryForm)
  const copy = useCopyDictionary(dictionary.id, (message) => form.setFieldError('name', message))
  return (
    <NameDialog
      title="Duplicate data dictionary"
      hint={`A copy of '${dictionary.name}'`}
      form={form}
      change={copy}
      onClose={onClose}
    />
  )
}

const useNameForm = (name: string, schema: typeof renameDictionaryForm) =>
  useForm({
    initialValues: { name },
    validate: schemaResolver(schema, { sync: true }),
    // An emptied name disables Save, so the message could not be reached by saving.
    validateInputOnChange: ['name'],
  })

type NameDialogProps = {
  title: string
  hint?: string
  form: ReturnType<typeof useNameForm>
  change: UseMutationResult<unknown, unknown, string>
  note?: ReactNode
  onClose: () => void
}

function NameDialog({ title, hint, form, change, note, onClose }: NameDialogProps) {
  return (
    <FormDialog
      title={title}
      canSave={form.isDirty()}
      isSaving={change.isPending}
      onClose={() => void confirmAndClose(form.isDirty(), onClose)}
      onSubmit={form.onSubmit(({ name }) => change.mutate(name.trim(), { onSuccess: onClose }))}
    >
      <TextInput
        label="Name"
        description={hint}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      {note}
    </FormDialog>
  )
}
