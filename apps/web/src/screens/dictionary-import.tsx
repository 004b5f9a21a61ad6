import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { importDictionary } from '@veridict/contract/api/dictionaries'
import { createDictionaryForm } from '@veridict/contract/forms/dictionary'
import { importFault } from '@veridict/contract/forms/sample'
import { dictionaryLimits } from '@veridict/contract/limits'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { useState } from 'react'
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
  const { name, nameError, setName, canImport, submit, upload } = useImportForm()
  const { state, file, fault, choose, frame } = upload
  const isUploading = frame.progress !== null
  return (
    <UploadFrame {...frame} canUpload={canImport} onUpload={() => void submit()}>
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
        autoComplete="off"
        value={name}
        disabled={isUploading}
        error={nameError}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </UploadFrame>
  )
}

/** The state of the form: name, file and upload. */
function useImportForm() {
  const [name, setName] = useState('')
  const [isNameTouched, setIsNameTouched] = useState(false)
  const upload = useUpload(importDictionary, importFault)
  const { state, file, fault } = upload
  const client = useQueryClient()
  const nameFault = createDictionaryForm.safeParse({ name }).error?.issues[0].message ?? null
  const submit = async () => {
    if (file === null || nameFault !== null) return
    if (await upload.start(file, { name: name.trim() })) {
      setName('')
      setIsNameTouched(false)
      upload.clear()
      void client.invalidateQueries()
    }
  }
  return {
    name,
    nameError: isNameTouched && state.step !== 'uploaded' ? nameFault : null,
    setName: (text: string) => {
      if (state.step === 'refused' && !state.isFileLost) upload.reset()
      setName(text)
      setIsNameTouched(true)
    },
    // After a refusal, another file or another name is needed.
    canImport: file !== null && nameFault === null && fault === null && state.step !== 'refused',
    submit,
    upload,
  }
}
