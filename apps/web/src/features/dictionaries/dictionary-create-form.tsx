import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { createDictionary } from '@veridict/contract/api/dictionaries'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import { createDictionaryForm } from '@veridict/contract/forms/dictionary'
import type { Field } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { type ReactNode, useEffect, useRef } from 'react'
import { dictionaryPath, paths } from '#app/paths.ts'
import { useDirtyGuard } from '#lib/forms/use-dirty-guard.ts'
import { CallFailure } from '#lib/http/call-failure.ts'
import { useChange } from '#lib/http/use-change.ts'
import { ErrorList } from '#ui/feedback/error-list.tsx'
import { FormPage, FormSection } from '#ui/forms/form-page.tsx'

/** The fields that a new dictionary begins with, and rules between them. */
export type FirstFields = {
  isDirty: boolean
  /** Whether they are being read, and there is nothing to save yet. */
  isReading: boolean
  /** Used until another name is typed; '' where there is none. */
  suggestedName: string
  /** null where something must be put right first, which is then shown. */
  take: () => (RuleBook & { fields: Field[] }) | null
}

export type DictionaryCreateFormProps = {
  fields: FirstFields
  /** Where the fields are chosen. */
  children: ReactNode
}

/** A name, and the fields it begins with, made at once. */
export function DictionaryCreateForm({ fields, children }: DictionaryCreateFormProps) {
  const form = useForm({
    initialValues: { name: '' },
    validate: schemaResolver(createDictionaryForm, { sync: true }),
  })
  const create = useChange(createDictionary)
  const isDirty = form.isDirty() || fields.isDirty
  const { leaveTo } = useDirtyGuard(isDirty)
  const { setValues } = form
  const { suggestedName } = fields
  const taken = useRef('')
  useEffect(() => {
    if (suggestedName === '') return
    setValues(({ name = '' }) => ({ name: ['', taken.current].includes(name.trim()) ? suggestedName : name }))
    taken.current = suggestedName
  }, [suggestedName, setValues])

  const save = ({ name }: { name: string }) => {
    const first = fields.take()
    if (first === null) return
    const { fields: items, ...book } = first
    const body = { name: name.trim(), ...book, items: items.map(fieldToBody) }
    create.mutate({ body }, { onSuccess: ({ id }) => leaveTo(dictionaryPath(id)) })
  }
  const refusals =
    create.error instanceof CallFailure && Array.isArray(create.error.body)
      ? create.error.body.map(String)
      : []
  return (
    <FormPage
      cancelPath={paths.dictionaries}
      canSave={isDirty && !fields.isReading}
      isSaving={create.isPending}
      isLong={fields.isDirty}
      onSubmit={form.onSubmit(save, () => void fields.take())}
    >
      <FormSection title="Metadata">
        <TextInput
          label="Data dictionary name"
          description="Shown to the people who upload files, as the type of file."
          autoComplete="off"
          autoFocus
          {...form.getInputProps('name')}
        />
        {refusals.length > 0 && <ErrorList title="The data dictionary was not created" errors={refusals} />}
      </FormSection>
      {children}
    </FormPage>
  )
}
