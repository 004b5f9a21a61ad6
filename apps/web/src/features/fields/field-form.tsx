import { Checkbox, Input, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { createField, updateField } from '@veridict/contract/api/fields'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { formMessages } from '@veridict/contract/messages/forms'
import type { Field } from '@veridict/contract/model/field'
import { useId } from 'react'
import { ImpactButton } from '#features/impacts/impact-button.tsx'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { useDirtyGuard } from '#lib/forms/confirm.ts'
import { fieldErrorsOf } from '#lib/http/call-failure.ts'
import { useChange } from '#lib/http/query-of.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { FormPage, FormSection } from '#ui/forms/form-page.tsx'
import { fieldsQuery, readFieldForForm, type StoredField } from './api.ts'
import {
  choiceOf,
  emptyField,
  inputErrorsOf,
  readField,
  typeChoices,
  typeOf,
  valuesOf,
  wordOf,
} from './field-values.ts'
import { RuleOptions } from './options/rule-options.tsx'
import { TryOut } from './try-out.tsx'
import { type FieldFormHook, useFieldForm } from './use-field-form.ts'

export type FieldFormProps = {
  dictionaryId: number
  /** The field that is edited; null for a new one. */
  stored: { field: StoredField; etag: string } | null
  category?: string
  /** A new field was saved, and another one is to be added. */
  onAdded?: (added: Field) => void
  dictionaryPath: string
}

/** See docs/BEHAVIOUR.md#field-form. */
export function FieldForm(props: FieldFormProps) {
  const { dictionaryId, stored, category = '', onAdded, dictionaryPath } = props
  const fieldId = stored?.field.id ?? null
  const initial = stored && snapshotOf(stored)
  const form = useFieldForm(initial?.values ?? { ...emptyField, category })
  const reread = async () => snapshotOf(await readFieldForForm(fieldId ?? 0))
  const conflict = useConflict(form, initial, reread, wordOf)
  const create = useChange(createField, conflict.showOrAnnounce)
  const update = useChange(updateField, conflict.showOrAnnounce)
  const { leaveTo } = useDirtyGuard(form.isDirty())
  // The server may refuse what the form could not check: an expression, while the engine was not loaded.
  const showAtInputs = (failure: unknown) => form.setErrors(inputErrorsOf(fieldErrorsOf(failure)))
  const client = useQueryClient()
  const draft = async () => {
    const read = form.validate().hasErrors ? null : readField(form.getValues())
    if (read === null || !read.ok) return null
    const present = await client.fetchQuery(fieldsQuery(dictionaryId))
    const changed = present.map((field) => (field.id === fieldId ? read.field : field))
    const fields = fieldId === null ? [...changed, read.field] : changed
    return { body: { fields: fields.map(fieldToBody) } }
  }
  return (
    <FormPage
      cancelPath={dictionaryPath}
      canSave={form.isDirty()}
      isSaving={create.isPending || update.isPending}
      beside={<ImpactButton dictionaryId={dictionaryId} draft={draft} isDisabled={!form.isDirty()} />}
      saveToo={
        onAdded && (
          <ActionButton
            label={fieldMessages.saveAndAddAnother}
            variant="default"
            disabled={!form.isDirty()}
            isBusy={create.isPending}
            onClick={({ currentTarget }) => currentTarget.form?.requestSubmit()}
          />
        )
      }
      onSubmit={form.onSubmit((values, event) => {
        const read = readField(values)
        if (!read.ok) return
        const body = { ...fieldToBody(read.field), dataDictionaryId: dictionaryId, version: conflict.etag }
        // Save and the Enter key have a submitter.
        const { submitter } = (event?.nativeEvent ?? {}) as Partial<SubmitEvent>
        const onSuccess = () => (submitter === null ? onAdded?.(read.field) : leaveTo(dictionaryPath))
        const sent = { onSuccess, onError: showAtInputs }
        if (fieldId === null) create.mutate({ body }, sent)
        else update.mutate({ params: { id: fieldId }, body }, sent)
      })}
    >
      <Metadata form={form} isNew={fieldId === null} />
      <FormSection title="Format">
        <Select
          label="Type"
          placeholder="Select a type"
          data={typeChoices}
          {...form.getInputProps('type')}
          value={choiceOf(form.values.type)}
          onChange={(choice) => form.setFieldValue('type', typeOf(choice))}
        />
        {form.values.type !== '' && <RuleOptions type={form.values.type} form={form} />}
      </FormSection>
      <TryOut values={form.values} />
      <FormSection title="Other">
        <Checkbox
          label="Can be empty"
          {...form.getInputProps('required')}
          checked={!form.values.required}
          onChange={(event) => form.setFieldValue('required', !event.currentTarget.checked)}
        />
        <RowSwitch form={form} />
      </FormSection>
      {conflict.note && <FormSection title="Meanwhile">{conflict.note}</FormSection>}
    </FormPage>
  )
}

const snapshotOf = ({ field, etag }: NonNullable<FieldFormProps['stored']>) => ({
  values: valuesOf(field),
  etag,
})

function Metadata({ form, isNew }: { form: FieldFormHook; isNew: boolean }) {
  return (
    <FormSection title="Metadata">
      <TextInput
        label="Field name"
        description="The name of the column, as it stands in the header of the file."
        autoFocus={isNew}
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Field description"
        description={formMessages.optional}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('description')}
      />
      <TextInput
        label="Field category"
        description={formMessages.optional}
        {...form.getInputProps('category')}
      />
    </FormSection>
  )
}

function RowSwitch({ form }: { form: FieldFormHook }) {
  const hintId = useId()
  return (
    <Stack gap={6}>
      {/* Its own description would be part of its label. */}
      <Switch
        label={fieldMessages.identifiesRow}
        aria-describedby={hintId}
        {...form.getInputProps('identifiesRow', { type: 'checkbox' })}
      />
      <Input.Description id={hintId} size="md" ps={50}>
        {fieldMessages.identifiesRowHint}
      </Input.Description>
    </Stack>
  )
}
