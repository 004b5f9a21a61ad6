import { Anchor, Select } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmissionItem, uploadSubmission } from '@veridict/contract/api/submissions'
import { uploadFault } from '@veridict/contract/forms/upload'
import { uploadLimits } from '@veridict/contract/limits'
import { submissionStatusTexts } from '@veridict/contract/messages/submissions'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { correctedMessages } from '@veridict/contract/messages/report'
import { answerLabel } from '@veridict/contract/messages/structure'
import { isSettled, SubmissionStatus } from '@veridict/contract/model/submission-status'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { useAnswerMemory } from '#lib/http/use-answer-memory.ts'
import { useTemplateDownload } from '#lib/http/use-template-download.ts'
import { useUpload } from '#lib/http/use-upload.ts'
import { SuccessPanel } from '#ui/feedback/success-panel.tsx'
import { FileDrop } from '#ui/forms/file-drop.tsx'
import { UploadFrame } from '#ui/forms/upload-frame.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { TextButton } from '#ui/text/text-button.tsx'
import { BeforeAfter } from '#verdict/before-after.tsx'
import { historyKey, historyQuery } from './api.ts'
import { FixedLine } from './fixed-line.tsx'
import { pollInterval, useLiveStatus } from './live-status.ts'
import { StatusLabel, verdictLinks } from './status-label.tsx'
import classes from './upload-form.module.css'

export type UploadFormProps = {
  /** undefined while loading. */
  dictionaries: { id: number; name: string }[] | undefined
  /** The id of the dictionary that is chosen at first; ignored if it is none of `dictionaries`. */
  firstDictionary: string | null
  /** A corrected copy that is chosen at first, and uploaded as soon as its check finds no error. */
  firstFile: File | null
  /** Shown under the form while a file is chosen. */
  renderCheck: (chosen: {
    file: File
    /** null as long as none is chosen. */
    dictionaryId: number | null
    onDictionary: (id: number) => void
    isUploading: boolean
    /** Chooses another file instead. */
    onReplace: (file: File) => void
    /** To be called when the check of a file has ended. */
    onVerdict: (file: File, kind: 'passed' | 'rowErrors' | 'fileProblem') => void
  }) => ReactNode
}

/** Chooses a dictionary and a file, and uploads it. See docs/BEHAVIOUR.md#upload. */
export function UploadForm({ renderCheck, ...form }: UploadFormProps) {
  const { dictionaries, firstFile } = form
  const { dictionaryId, setDictionaryId, uploaded, submit, upload } = useUploadForm(form)
  const [refused, setRefused] = useState<File | null>(null)
  const { state, file, fault, choose, frame } = upload
  const isUploading = frame.progress !== null
  return (
    <>
      <UploadFrame
        {...frame}
        canUpload={file !== null && dictionaryId !== null}
        note={frame.note ?? (file !== null && dictionaryId === null ? uploadMessages.chooseDictionary : null)}
        isQuiet={file !== null && file === refused}
        onUpload={() => void submit()}
      >
        {state.step === 'uploaded' && uploaded !== null && <UploadedPanel {...uploaded} />}
        <div>
          <DictionarySelect
            dictionaries={dictionaries}
            value={dictionaryId}
            onChange={setDictionaryId}
            disabled={isUploading}
          />
          {dictionaryId !== null && <TemplateLine dictionaryId={Number(dictionaryId)} />}
          {dictionaryId !== null && <RememberedAnswers dictionaryId={Number(dictionaryId)} />}
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
      {file !== null &&
        renderCheck({
          file,
          dictionaryId: dictionaryId === null ? null : Number(dictionaryId),
          onDictionary: (id) => setDictionaryId(String(id)),
          isUploading,
          onReplace: (copy) => void choose([copy]),
          onVerdict: (checked, kind) => {
            setRefused(kind === 'passed' ? null : checked)
            const isAwaited = checked === firstFile && dictionaryId === form.firstDictionary
            if (kind === 'passed' && isAwaited && state.step === 'idle') void submit()
          },
        })}
    </>
  )
}

const fileHint =
  `CSV or Excel workbook (${uploadLimits.extensions.join(', ')}), ` +
  `up to ${uploadLimits.maxBytes / 1024 / 1024} MB`

/** The state of the form: dictionary, file and upload. */
function useUploadForm({
  dictionaries,
  firstDictionary,
  firstFile,
}: Pick<UploadFormProps, 'dictionaries' | 'firstDictionary' | 'firstFile'>) {
  const [wanted, setDictionaryId] = useState(firstDictionary)
  const dictionaryId = dictionaries?.some(({ id }) => String(id) === wanted) === true ? wanted : null
  const [uploaded, setUploaded] = useState<UploadedFile | null>(null)
  const upload = useUpload(uploadSubmission, uploadFault, firstFile)
  const client = useQueryClient()
  const submit = async () => {
    if (upload.file === null || dictionaryId === null) return
    const reply = await upload.start(upload.file, { dataDictionaryId: dictionaryId })
    if (reply === null) return
    setUploaded(reply)
    setDictionaryId(null)
    upload.clear()
    void client.invalidateQueries({ queryKey: historyKey })
  }
  return { dictionaryId, setDictionaryId, uploaded, submit, upload }
}

type DictionarySelectProps = Pick<UploadFormProps, 'dictionaries'> & {
  value: string | null
  onChange: (value: string | null) => void
  disabled: boolean
}

function DictionarySelect({ dictionaries, disabled, ...choice }: DictionarySelectProps) {
  const hasNone = dictionaries?.length === 0
  return (
    <Select
      label="Data dictionary"
      description={
        'What kind of file is it? The dictionary says which columns it must have, and what each may hold.'
      }
      placeholder="Select a data dictionary"
      data={(dictionaries ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      {...choice}
      disabled={disabled || hasNone}
      error={
        hasNone && 'No data dictionary is associated with your company yet. Please contact the administrator.'
      }
      searchable={(dictionaries?.length ?? 0) > 8}
      nothingFoundMessage={dictionaries === undefined ? 'Loading…' : 'No such data dictionary'}
      allowDeselect={false}
    />
  )
}

/** Offers a blank workbook to a person who has no file yet. */
function TemplateLine({ dictionaryId }: { dictionaryId: number }) {
  const template = useTemplateDownload()
  return (
    <p className={classes.template}>
      No file yet?{' '}
      <Anchor
        component="button"
        type="button"
        inherit
        fw={600}
        disabled={template.isPending}
        aria-busy={template.isPending}
        onClick={() => template.mutate(dictionaryId)}
      >
        Download template
      </Anchor>
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
            <TextButton inherit fw={600} onClick={() => forget(id)}>
              {correctedMessages.forget}
            </TextButton>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** What the server returned for an upload. */
type UploadedFile = Pick<SubmissionItem, 'id' | 'fileName'>

/** The verdict of a small file comes within half a second, in which nobody has read that it was uploaded. */
const READING_MILLISECONDS = 2_000

/** Says that a file was uploaded, with its live status, until the verdict takes the place of that. */
function UploadedPanel({ id, fileName }: UploadedFile) {
  const submission = useSubmission({ id, fileName })
  const status = submission?.status
  const [wasRead, setWasRead] = useState(false)
  useTimeout(() => setWasRead(true), READING_MILLISECONDS, { autoInvoke: true })
  const said =
    status === undefined || !isSettled(status) || !wasRead
      ? { title: uploadMessages.uploadedTitle, text: uploadMessages.uploadedText }
      : { title: verdictTitles[status] ?? submissionStatusTexts[status], isBad: status !== IngestionSuccess }
  return (
    <SuccessPanel {...said}>
      {submission !== undefined && (
        <p className={classes.status}>
          <BreakableName name={fileName} />
          <StatusLabel {...submission} />
          {verdictLinks(submission).map(({ to, text }) => (
            <Anchor key={to} component={Link} to={to} fw={600}>
              {text}
            </Anchor>
          ))}
        </p>
      )}
      {status === IngestionSuccess && <FixedLine id={id} />}
      <Anchor component={Link} to={paths.home} fw={600}>
        Go back to home
      </Anchor>
    </SuccessPanel>
  )
}

const { IngestionSuccess, ValidationFailed } = SubmissionStatus
const verdictTitles: Partial<Record<SubmissionStatus, string>> = {
  [IngestionSuccess]: uploadMessages.accepted,
  [ValidationFailed]: uploadMessages.notAccepted,
}

/** A submission by its row in the history, which the server's pushes change; undefined until it is read. */
function useSubmission({ id, fileName }: UploadedFile): SubmissionItem | undefined {
  const isLive = useLiveStatus()
  const find = (rows: readonly SubmissionItem[] | undefined) => rows?.find((row) => row.id === id)
  const { data } = useQuery({
    ...historyQuery(fileName, [], 1),
    refetchInterval: ({ state }) => {
      const row = find(state.data?.data)
      return row === undefined ? false : pollInterval([row], isLive)
    },
  })
  return find(data?.data)
}
