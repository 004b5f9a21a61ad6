import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import type { UseMutationResult } from '@tanstack/react-query'
import { copyDictionaryForm, renameDictionaryForm } from '@veridict/contract/forms/dictionary'
import { closeUnlessKept } from '#lib/forms/use-dirty-guard.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useCopyDictionary, useRenameDictionary } from './api.ts'

export type DictionaryDialogProps = { dictionary: { id: number; name: string }; onClose: () => void }

/** Gives a dictionary another name. Spec §2, §5. */
export function RenameDialog({ dictionary, onClose }: DictionaryDialogProps) {
  const form = useNameForm(dictionary.name, renameDictionaryForm)
  const rename = useRenameDictionary(dictionary.id, (message) => form.setFieldError('name', message))
  return <NameDialog title="Rename data dictionary" form={form} change={rename} onClose={onClose} />
}

/** Makes a copy of a dictionary under another name. Spec §2, §5. */
export function DuplicateDialog({ dictionary, onClose }: DictionaryDialogProps) {
  const form = useNameForm('', copyDictionaryForm)
  const copy = useCopyDictionary(dictionary.id, (message) => form.setFieldError('name', message))
  return (
    <NameDialog title="Duplicate data dictionary" hint={`A copy of "${dictionary.name}"`} form={form} change={copy} onClose={onClose} />
  )
}

const useNameForm = (name: string, schema: typeof renameDictionaryForm) =>
  useForm({ initialValues: { name }, validate: schemaResolver(schema, { sync: true }) })

type NameDialogProps = {
  title: string
  hint?: string
  form: ReturnType<typeof useNameForm>
  change: UseMutationResult<unknown, unknown, string>
  onClose: () => void
}

function NameDialog({ title, hint, form, change, onClose }: NameDialogProps) {
  return (
    <FormDialog
      isOpen
      title={title}
      canSave={form.isDirty()}
      isSaving={change.isPending}
      onClose={() => void closeUnlessKept(form.isDirty(), onClose)}
      onSubmit={form.onSubmit(({ name }) => change.mutate(name.trim(), { onSuccess: onClose }))}
    >
      <TextInput label="Name" description={hint} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
    </FormDialog>
  )
}
