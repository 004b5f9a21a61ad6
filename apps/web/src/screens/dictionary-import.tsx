import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { importDictionary } from '@veridict/contract/api/dictionaries'
import { createDictionaryForm } from '@veridict/contract/forms/dictionary'
import { importFault } from '@veridict/contract/forms/sample'
import { dictionaryLimits } from '@veridict/contract/limits'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { crumbs, paths } from '#app/paths.ts'
import { useUpload } from '#lib/http/use-upload.ts'
import { ErrorList } from '#ui/feedback/error-list.tsx'
import { SuccessPanel } from '#ui/feedback/success-panel.tsx'
import { TextLink } from '#ui/forms/action-button.tsx'
import { FileDrop } from '#ui/forms/file-drop.tsx'
import { UploadFrame } from '#ui/forms/upload-frame.tsx'
import { Page } from '#ui/layout/page.tsx'

const title = 'Upload new data dictionary'

export function DictionaryImport() {
  return (
    <Page title={title} narrow above={[crumbs.home, crumbs.dictionaries]}>
      <ImportForm />
    </Page>
  )
}

/** Makes a dictionary from a workbook, or shows every problem of it. See docs/BEHAVIOUR.md#dictionaries. */
function ImportForm() {
  const form = useForm({
    initialValues: { name: '' },
    validate: schemaResolver(createDictionaryForm, { sync: true }),
    validateInputOnChange: true,
  })
  const upload = useUpload(importDictionary, importFault)
  const { state, file, fault, choose, frame } = upload
  const client = useQueryClient()
  const isUploading = frame.progress !== null
  const submit = async () => {
    if (file === null || !form.isValid()) return
    if ((await upload.start(file, { name: form.values.name.trim() })) === null) return
    form.reset()
    upload.clear()
    void client.invalidateQueries()
  }
  const nameInput = form.getInputProps('name')
  return (
    <UploadFrame
      {...frame}
      // After a refusal, another file or another name is needed.
      canUpload={file !== null && fault === null && state.step !== 'refused' && form.isValid()}
      onUpload={() => void submit()}
    >
      {state.step === 'uploaded' && (
        <SuccessPanel title={dictionaryMessages.imported}>
          <TextLink label="Go back to home" to={paths.dictionaries} fw={600} />
        </SuccessPanel>
      )}
      {state.step === 'refused' && (
        <ErrorList
          title="The data dictionary was not imported"
          errors={state.messages}
          isInNotice={!state.isFileLost}
        />
      )}
      <FileDrop
        label="File"
        hint={
          `Excel workbook (.xlsx), up to ${dictionaryLimits.maxImportBytes / 1024 / 1024} MB, ` +
          'like one made with "Export to Excel"'
        }
        accept=".xlsx"
        file={file}
        error={fault}
        disabled={isUploading}
        onFiles={choose}
      />
      <TextInput
        label="Name"
        disabled={isUploading}
        {...nameInput}
        onChange={(event) => {
          if (state.step === 'refused' && !state.isFileLost) upload.reset()
          nameInput.onChange(event)
        }}
      />
    </UploadFrame>
  )
}
