import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { createDictionaryForm } from '@veridict/contract/forms/dictionary'
import { useDirtyGuard } from '#lib/forms/use-dirty-guard.ts'
import { FormPage, FormSection } from '#ui/form-page.tsx'
import { useCreateDictionary } from './api.ts'

export type DictionaryCreateFormProps = { listPath: string; createdPath: (id: number) => string }

export function DictionaryCreateForm({ listPath, createdPath }: DictionaryCreateFormProps) {
  const form = useForm({ initialValues: { name: '' }, validate: schemaResolver(createDictionaryForm, { sync: true }) })
  const create = useCreateDictionary()
  const { leaveTo } = useDirtyGuard(form.isDirty())
  return (
    <FormPage
      cancelPath={listPath}
      canSave={form.isDirty()}
      isSaving={create.isPending}
      onSubmit={form.onSubmit(({ name }) => create.mutate(name.trim(), { onSuccess: ({ id }) => leaveTo(createdPath(id)) }))}
    >
      <FormSection title="Metadata">
        <TextInput
          label="Data dictionary name"
          description="Shown to the people who upload files, as the type of file."
          autoComplete="off"
          autoFocus
          {...form.getInputProps('name')}
        />
      </FormSection>
    </FormPage>
  )
}
