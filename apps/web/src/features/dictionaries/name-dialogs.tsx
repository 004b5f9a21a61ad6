import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { copyDictionary, readDictionary, renameDictionary } from '@veridict/contract/api/dictionaries'
import { copyDictionaryForm, renameDictionaryForm } from '@veridict/contract/forms/dictionary'
import type { ReactNode } from 'react'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { call } from '#lib/http/client.ts'
import { useChange } from '#lib/http/query-of.ts'
import { FormDialog } from '#ui/forms/form-dialog.tsx'

export type DictionaryDialogProps = { dictionary: { id: number; name: string }; onClose: () => void }

type RenameDialogProps = { dictionary: { id: number; name: string; etag: string }; onClose: () => void }

export function RenameDialog({ dictionary: { id, name, etag }, onClose }: RenameDialogProps) {
  const form = useNameForm(name, renameDictionaryForm)
  const conflict = useConflict(form, { values: { name }, etag }, async () => {
    const stored = await call(readDictionary, { params: { id } })
    return { values: { name: stored.name }, etag: stored.version }
  })
  const showAtName = (message: string, failure: unknown) =>
    conflict.show(failure) || form.setFieldError('name', message)
  const rename = useChange(renameDictionary, showAtName)
  return (
    <NameDialog
      title="Rename data dictionary"
      form={form}
      isSaving={rename.isPending}
      onSave={(typed) =>
        rename.mutate(
          { query: { id }, body: { name: typed, version: conflict.etag } },
          { onSuccess: onClose },
        )
      }
      note={conflict.note}
      onClose={onClose}
    />
  )
}

export function DuplicateDialog({ dictionary, onClose }: DictionaryDialogProps) {
  const form = useNameForm('', copyDictionaryForm)
  const copy = useChange(copyDictionary, (message) => form.setFieldError('name', message))
  return (
    <NameDialog
      title="Duplicate data dictionary"
      hint={`A copy of '${dictionary.name}'`}
      form={form}
      isSaving={copy.isPending}
      onSave={(name) =>
        copy.mutate({ params: { id: dictionary.id }, body: { name } }, { onSuccess: onClose })
      }
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
  isSaving: boolean
  onSave: (name: string) => void
  note?: ReactNode
  onClose: () => void
}

function NameDialog({ hint, onSave, note, ...dialog }: NameDialogProps) {
  return (
    <FormDialog {...dialog} onSave={({ name }) => onSave(name.trim())}>
      <TextInput label="Name" description={hint} data-autofocus {...dialog.form.getInputProps('name')} />
      {note}
    </FormDialog>
  )
}
