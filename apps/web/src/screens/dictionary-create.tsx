import { Radio, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { createDictionary } from '@veridict/contract/api/dictionaries'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import { createDictionaryForm } from '@veridict/contract/forms/dictionary'
import { uploadLimits } from '@veridict/contract/limits'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { useEffect, useRef } from 'react'
import { crumbs, dictionaryPath, paths } from '#app/paths.ts'
import { DraftList } from '#features/fields/sample/draft-list.tsx'
import { type Sample, useSample } from '#features/fields/sample/use-sample.ts'
import { useDirtyGuard } from '#lib/forms/confirm.ts'
import { CallFailure } from '#lib/http/call-failure.ts'
import { useChange } from '#lib/http/query-of.ts'
import { ErrorList } from '#ui/feedback/error-list.tsx'
import { FileDrop } from '#ui/forms/file-drop.tsx'
import { FormPage, FormSection } from '#ui/forms/form-page.tsx'
import { UploadProgress } from '#ui/forms/upload-frame.tsx'
import { Page } from '#ui/layout/page.tsx'
import classes from './dictionary-create.module.css'

export function DictionaryCreate() {
  const sample = useSample()
  const { proposal, take } = sample
  const form = useForm({
    initialValues: { name: '' },
    validate: schemaResolver(createDictionaryForm, { sync: true }),
  })
  const create = useChange(createDictionary)
  const isDirty = form.isDirty() || proposal !== null
  const { leaveTo } = useDirtyGuard(isDirty)
  const { setValues } = form
  // Used until another name is typed.
  const suggestedName = proposal?.name ?? ''
  const taken = useRef('')
  useEffect(() => {
    if (suggestedName === '') return
    setValues(({ name = '' }) => ({ name: ['', taken.current].includes(name.trim()) ? suggestedName : name }))
    taken.current = suggestedName
  }, [suggestedName, setValues])

  const save = ({ name }: { name: string }) => {
    const first = take()
    if (first === null) return
    const { fields, ...book } = first
    const body = { name: name.trim(), ...book, items: fields.map(fieldToBody) }
    create.mutate({ body }, { onSuccess: ({ id }) => leaveTo(dictionaryPath(id)) })
  }
  const refusals =
    create.error instanceof CallFailure && Array.isArray(create.error.body)
      ? create.error.body.map(String)
      : []
  return (
    <Page title="Create dictionary" narrow={proposal === null} above={[crumbs.home, crumbs.dictionaries]}>
      <FormPage
        cancelPath={paths.dictionaries}
        canSave={isDirty && sample.reading === null}
        isSaving={create.isPending}
        isLong={proposal !== null}
        onSubmit={form.onSubmit(save, () => void take())}
      >
        <FormSection title="Metadata">
          <TextInput
            label="Data dictionary name"
            description="Shown to the people who upload files, as the type of file."
            autoFocus
            {...form.getInputProps('name')}
          />
          {refusals.length > 0 && <ErrorList title="The data dictionary was not created" errors={refusals} />}
        </FormSection>
        <FormSection title="Fields">
          <FieldSource sample={sample} />
        </FormSection>
        <DraftList sample={sample} />
      </FormPage>
    </Page>
  )
}

/** Whether a new dictionary begins empty or with the columns of a file. */
function FieldSource({ sample }: { sample: Sample }) {
  const { source, reading, file, fault, faultsOfFile } = sample
  return (
    <>
      <Radio.Group
        value={source}
        onChange={(value) => sample.setSource(value as Sample['source'])}
        aria-label="Fields"
      >
        <div className={classes.choice}>
          <Choice
            value="empty"
            title="Start empty"
            text="Add the fields one by one once the dictionary is saved."
          />
          <Choice
            value="sample"
            title="Start from a file"
            text="A sample of the data, or a Table Schema: fields are proposed for you to correct."
          />
        </div>
      </Radio.Group>
      {source === 'sample' && (
        <>
          <FileDrop
            label="Sample file"
            hint={
              `CSV or Excel workbook (${uploadLimits.extensions.join(', ')}), ` +
              `up to ${uploadLimits.maxBytes / 1024 / 1024} MB, or a Table Schema (.json). ` +
              'It is read and not kept.'
            }
            accept={[...uploadLimits.extensions, '.json'].join(',')}
            file={file}
            error={fault}
            disabled={reading !== null}
            compact={sample.proposal !== null}
            onFiles={sample.choose}
          />
          {faultsOfFile.length > 0 && (
            <ErrorList title="No fields can be proposed from this file" errors={faultsOfFile} />
          )}
          {reading !== null && (
            <UploadProgress
              text={
                reading.percent === 100
                  ? `Reading ${reading.fileName}…`
                  : uploadMessages.uploading(reading.fileName)
              }
              percent={reading.percent}
            />
          )}
        </>
      )}
    </>
  )
}

function Choice({ value, title, text }: { value: Sample['source']; title: string; text: string }) {
  return (
    <Radio.Card value={value} className={classes.card} aria-label={title}>
      <Radio.Indicator />
      <span className={classes.words}>
        <b>{title}</b>
        <span>{text}</span>
      </span>
    </Radio.Card>
  )
}
