import { Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { dictionariesForSelection, uploadSubmission } from '@veridict/contract/api/submissions'
import { uploadFault } from '@veridict/contract/forms/upload'
import { uploadLimits } from '@veridict/contract/limits'
import { correctedMessages } from '@veridict/contract/messages/report'
import { answerLabel } from '@veridict/contract/messages/structure'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { crumbs } from '#app/paths.ts'
import { FileCheckPanel } from '#features/file-check/file-check-panel.tsx'
import { FittingDictionaries } from '#features/file-check/fitting-dictionaries.tsx'
import { historyKey } from '#features/submissions/api.ts'
import { type UploadedFile, UploadedPanel } from '#features/submissions/uploaded-panel.tsx'
import { useTemplateDownload } from '#lib/http/download.ts'
import { queryOf } from '#lib/http/query-of.ts'
import { useAnswerMemory } from '#lib/http/use-answer-memory.ts'
import { useUpload } from '#lib/http/use-upload.ts'
import { TextButton } from '#ui/forms/action-button.tsx'
import { FileDrop } from '#ui/forms/file-drop.tsx'
import { UploadFrame } from '#ui/forms/upload-frame.tsx'
import { FailedPage, Page } from '#ui/layout/page.tsx'
import { BeforeAfter } from '#verdict/before-after.tsx'
import { copyOfReport } from '#verdict/correction.ts'
import type { CheckedVerdict } from '#workers/worker-messages.ts'
import classes from './file-upload.module.css'

/** The address may name the dictionary; a report may have made the file. See docs/BEHAVIOUR.md#upload. */
export function FileUpload() {
  const firstDictionary = useSearchParams()[0].get('dictionary')
  // A corrected copy, which is uploaded as soon as its check finds no error.
  const [firstCopy] = useState(copyOfReport.current)
  useEffect(() => {
    copyOfReport.current = null
  }, [])
  const list = useQuery(queryOf(dictionariesForSelection))
  const dictionaries = list.data
  const [wanted, setWanted] = useState(firstDictionary)
  const isKnown = dictionaries?.some(({ id }) => String(id) === wanted) === true
  const dictionaryId = isKnown ? Number(wanted) : null
  const [uploaded, setUploaded] = useState<UploadedFile | null>(null)
  const [refused, setRefused] = useState<File | null>(null)
  const upload = useUpload(uploadSubmission, uploadFault, firstCopy?.file)
  const { state, file, fault, choose, frame } = upload
  const client = useQueryClient()
  const submit = async () => {
    if (file === null || dictionaryId === null) return
    const reply = await upload.start(file, { dataDictionaryId: String(dictionaryId) })
    if (reply === null) return
    setUploaded(reply)
    setWanted(null)
    upload.clear()
    void client.invalidateQueries({ queryKey: historyKey })
  }
  const noteVerdict = (checked: File, kind: CheckedVerdict['kind']) => {
    setRefused(kind === 'passed' ? null : checked)
    const isAwaited = checked === firstCopy?.file && wanted === firstDictionary
    if (kind === 'passed' && isAwaited && state.step === 'idle') void submit()
  }
  const isUploading = frame.progress !== null
  const chosen = { isUploading, onDictionary: (id: number) => setWanted(String(id)) }
  if (list.isError && dictionaries === undefined)
    return <FailedPage title={title} narrow above={[crumbs.home]} what="The data dictionaries" query={list} />
  return (
    <Page title={title} narrow above={[crumbs.home]}>
      <UploadFrame
        {...frame}
        canUpload={file !== null && dictionaryId !== null}
        note={frame.note ?? (file !== null && dictionaryId === null ? uploadMessages.chooseDictionary : null)}
        isQuiet={file !== null && file === refused}
        onUpload={() => void submit()}
      >
        {state.step === 'uploaded' && uploaded !== null && <UploadedPanel {...uploaded} />}
        <div>
          <DictionarySelect {...{ dictionaries, dictionaryId }} onChange={setWanted} disabled={isUploading} />
          {dictionaryId !== null && <TemplateLine dictionaryId={dictionaryId} />}
          {dictionaryId !== null && <RememberedAnswers dictionaryId={dictionaryId} />}
        </div>
        <FileDrop
          label="File"
          hint={fileHint}
          accept={uploadLimits.extensions.join(',')}
          file={file}
          error={fault ?? (state.step === 'refused' ? state.messages.join('\n') : null)}
          disabled={isUploading}
          onFiles={choose}
        />
      </UploadFrame>
      {file !== null && dictionaryId === null && <FittingDictionaries {...chosen} file={file} />}
      {file !== null && dictionaryId !== null && (
        <FileCheckPanel
          {...chosen}
          file={file}
          dictionaryId={dictionaryId}
          firstCopy={firstCopy}
          onReplace={(copy) => void choose([copy])}
          onVerdict={noteVerdict}
        />
      )}
    </Page>
  )
}

const title = 'Upload new file'

const fileHint =
  `CSV or Excel workbook (${uploadLimits.extensions.join(', ')}), ` +
  `up to ${uploadLimits.maxBytes / 1024 / 1024} MB`

type DictionarySelectProps = {
  /** undefined while loading. */
  dictionaries: { id: number; name: string }[] | undefined
  dictionaryId: number | null
  onChange: (id: string | null) => void
  disabled: boolean
}

function DictionarySelect({ dictionaries, dictionaryId, disabled, onChange }: DictionarySelectProps) {
  const hasNone = dictionaries?.length === 0
  return (
    <Select
      label="Data dictionary"
      description={
        'What kind of file is it? The dictionary says which columns it must have, and what each may hold.'
      }
      placeholder="Select a data dictionary"
      data={(dictionaries ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={dictionaryId === null ? null : String(dictionaryId)}
      onChange={onChange}
      disabled={disabled || hasNone}
      error={
        hasNone && 'No data dictionary is associated with your company yet. Please contact the administrator.'
      }
      searchable={(dictionaries?.length ?? 0) > 8}
      nothingFoundMessage={dictionaries === undefined ? 'Loading…' : 'No such data dictionary'}
    />
  )
}

/** Offers a blank workbook to a person who has no file yet. */
function TemplateLine({ dictionaryId }: { dictionaryId: number }) {
  const template = useTemplateDownload()
  return (
    <p className={classes.template}>
      No file yet?{' '}
      <TextButton
        label="Download template"
        inherit
        fw={600}
        disabled={template.isPending}
        aria-busy={template.isPending}
        onClick={() => template.mutate(dictionaryId)}
      />
    </p>
  )
}

/** What is chosen at first in the dialog of the corrected copy, to forget it. */
function RememberedAnswers({ dictionaryId }: { dictionaryId: number }) {
  const { answers, forget } = useAnswerMemory(dictionaryId)
  if (answers.length === 0) return null
  return (
    <details className={classes.remembered}>
      <summary>{correctedMessages.remembered(answers.length)}</summary>
      <ul>
        {answers.map(({ id, column, kind, question, choice, map = {} }) => (
          <li key={id}>
            {column === null ? question : <b>{column}: </b>} {choice && answerLabel(kind, choice)}
            {Object.entries(map).map(([value, item]) => (
              <BeforeAfter key={value} value={value} suggestion={item} />
            ))}{' '}
            <TextButton label={correctedMessages.forget} inherit fw={600} onClick={() => forget(id)} />
          </li>
        ))}
      </ul>
    </details>
  )
}
